import { readFileSync } from 'node:fs';
import { ErrorBody } from '@brand-portal/contract/errors';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { type Described, describeHeaders } from './openapi-headers.ts';

const DOCUMENT_PATH = '/api/v1/openapi.json';

/** Swagger UI adds one style by script, which is allowed by its checksum. A journey fails if a release changes it. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Only for the document: a form is not validated like JSON. */
const FILE_FORM = {
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      contentMediaType: 'text/csv',
      description: 'A CSV file with a header, or an Excel workbook.',
    },
    sheet: { type: 'string', description: 'Which sheet of a workbook.' },
    mapping: {
      type: 'string',
      description:
        'Which column is which, as JSON: an object of field names by the place of the column, beginning with 0. Or `ask` or `choose`, to be asked. See above.',
      examples: ['{"0": "variant_name", "2": "gtin"}', 'ask'],
    },
  },
};

/** From the files that the tests run. */
const example = (name: string) => `\`\`\`ts\n${readFileSync(new URL(`examples/${name}.ts`, import.meta.url), 'utf8').trim()}\n\`\`\``;

const DESCRIPTION = `
Brands, their product variants, certificates and publishing.

A query parameter or field that is not listed here is refused (400 \`validation_failed\`), and \`fields\` names it.

## API keys

A script calls the API with a key of one brand: an owner or admin makes it on the brand's page *API keys*, with a role and a last day.
It travels as a bearer token, as an access token does, and may call what its role may and what lists \`api_key\` below.
What manages people, keys or the account is refused with \`key_not_allowed\` (403). A key that is wrong, revoked or expired is answered with 401 and
\`api_key_invalid\`, \`api_key_revoked\`, \`api_key_expired\` or \`api_key_of_deleted_brand\`. A brand that platform staff have made inactive only answers reads and exports (403 \`brand_inactive\`); one that is pending publishes nothing (403 \`brand_pending\`). Each key has a rate limit of its own (429, \`retry-after\`).

The examples read \`PORTAL_URL\` (the address of this portal), \`PORTAL_BRAND\` (the number in the brand's address) and \`PORTAL_KEY\` from the environment.
Keep the key out of your source code.

### Upload a file and wait for its result

With curl:

\`\`\`sh
curl --fail-with-body -H "Authorization: Bearer $PORTAL_KEY" -F file=@products.csv \\
  "$PORTAL_URL/api/v1/brands/$PORTAL_BRAND/variant-certifications/upload/"
\`\`\`

In TypeScript, \`node upload.ts products.csv\`:

${example('upload')}

The answer comes once the import has ended. For a file that takes minutes, send \`Prefer: respond-async\` and ask \`GET …/imports/{import_id}/\` until its state is neither \`waiting\` nor \`running\`.

### List variants

With curl:

\`\`\`sh
curl --fail-with-body -H "Authorization: Bearer $PORTAL_KEY" \\
  "$PORTAL_URL/api/v1/brands/$PORTAL_BRAND/variants/?page_size=100"
\`\`\`

In TypeScript, \`node list.ts\`:

${example('list')}

### Read a whole list

Every list has a fixed order; rows that are equal in it are ordered by id. While nobody changes the list, its pages have each row exactly once.
But each page is counted from the beginning of the list at the time of your call. If others add, delete or change rows between two calls, rows move:
one may appear on two pages, and another on none. There is no cursor yet, except in the history (\`before\` and \`after\`), which is not affected.

To read all variants or certificates, use an export without \`ordering\` (\`GET …/variants/export/?format=csv\`, \`GET …/certificates/export/?format=csv\`): each row that exists during the whole export
appears exactly once. With pages, use \`ordering=created_at\` (new variants come last), store rows by \`id\`, and compare how many you have
with \`count\` on the last page: if the numbers differ, read the list again.
`;

/** Register it before the routes that it documents. */
export async function useOpenApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  app.addSchema(ErrorBody);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Brand Portal',
        version: '1',
        description: DESCRIPTION.trim(),
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          access_token: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'Of a person who is signed in.',
          },
          api_key: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'bp_…',
            description: 'Of a script: a key of one brand.',
          },
        },
      },
      security: [{ access_token: [] }],
    },
    transform: ({ schema, url }) => {
      const isForm = schema?.consumes?.includes('multipart/form-data');
      return { schema: isForm ? { ...schema, body: FILE_FORM } : schema, url };
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) throw new Error('The document is not OpenAPI');
      describeHeaders(document.openapiObject as Described);
      return document.openapiObject;
    },
    refResolver: { buildLocalReference: (json, _baseUri, _fragment, index) => String(json.$id ?? `schema-${index}`) },
  });
  app.get(DOCUMENT_PATH, { schema: { hide: true } }, async () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: PAGE_POLICY,
    theme: { title: 'Brand Portal API' },
    uiConfig: { url: DOCUMENT_PATH, docExpansion: 'list', deepLinking: true },
  });
}
