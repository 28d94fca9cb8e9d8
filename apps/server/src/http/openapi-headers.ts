import { TOTAL_ROWS_HEADER } from '@brand-portal/contract/exports';

const text = (description: string) => ({ description, schema: { type: 'string' } });
const number = (description: string) => ({ description, schema: { type: 'integer' } });

/** `Accept`, `Content-Type` and `Authorization` have their own places in OpenAPI. */
const REQUEST_HEADERS = {
  'x-request-id': text(
    'Names the request in the server log, to trace it through several systems. Up to 64 letters, digits, `-` and `_`; otherwise the server chooses one.',
  ),
  'accept-language': {
    description: 'The language of what people read in the answer, such as messages about rows. The first one counts.',
    schema: { type: 'string', examples: ['es', 'es-MX, en'] },
  },
  prefer: {
    description:
      'RFC 7240. `respond-async, wait=N`: the server answers within N seconds (at once without `wait`), with 202 if the import is still running. Without this header it answers when the import has ended. `mapping=ask`: of an upload, see there.',
    schema: { type: 'string', examples: ['respond-async, wait=10'] },
  },
};

const ANSWER_HEADERS = {
  'x-request-id': text('Names the request in the server log.'),
  'x-ratelimit-limit': number('Requests that the caller may send per minute.'),
  'x-ratelimit-remaining': number('How many of them are left.'),
  'x-ratelimit-reset': number('Seconds until they are all back.'),
  'retry-after': number('Seconds after which the same call may succeed.'),
  location: text('Path of the import, to follow it.'),
  'preference-applied': text('`respond-async`'),
  'content-disposition': text('With the name of the file.'),
  [TOTAL_ROWS_HEADER]: number(
    'Of an export: how many entries it will have, if that is known when it begins. An entry may take several rows.',
  ),
};
type AnswerHeader = keyof typeof ANSWER_HEADERS;

const OF_ALL: readonly AnswerHeader[] = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const BY_STATUS: Readonly<Record<string, readonly AnswerHeader[]>> = {
  202: ['location', 'preference-applied'],
  429: ['retry-after'],
  503: ['retry-after'],
};
const OF_FILES: readonly AnswerHeader[] = ['content-disposition', TOTAL_ROWS_HEADER];

interface Answer {
  headers?: object;
  readonly content?: Readonly<Record<string, unknown>>;
}
interface Operation {
  parameters?: object[];
  readonly responses?: Readonly<Record<string, Answer>>;
}
/** The part of an OpenAPI document that says which headers there are. */
export interface Described {
  components?: { headers?: object; parameters?: object };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Adds the headers that the server reads and sends, which no schema of the contract has. */
export function describeHeaders(document: Described): void {
  const parameters = Object.entries(REQUEST_HEADERS).map(([name, header]) => [name, { name, in: 'header', ...header }]);
  document.components = {
    ...document.components,
    headers: ANSWER_HEADERS,
    parameters: Object.fromEntries(parameters),
  };
  for (const operation of Object.values(document.paths ?? {}).flatMap((path) => Object.values(path))) {
    const { responses = {}, parameters = [] } = operation;
    const isFollowed = '202' in responses;
    const read = ['x-request-id', 'accept-language', ...(isFollowed ? ['prefer'] : [])];
    operation.parameters = [...parameters, ...read.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
    for (const [status, answer] of Object.entries(responses)) {
      const isFile = Object.keys(answer.content ?? {}).some((type) => type !== 'application/json');
      const sent = [...OF_ALL, ...(BY_STATUS[status] ?? []), ...(isFile ? OF_FILES : [])];
      answer.headers = Object.fromEntries(sent.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
    }
  }
}
