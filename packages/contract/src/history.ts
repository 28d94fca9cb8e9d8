import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { endpoint } from './endpoint.ts';
import { EXPORT_FILE_TYPES, ExportFormat } from './exports.ts';
import { Id, PageSize } from './paging.ts';

const tag = 'history';

/** User id of entries without a user: made by the operator's command line or by a job. */
export const NO_PERSON = 0;

export const HISTORY_ACTORS = ['person', 'api_key', 'staff', 'operator', 'system'] as const;

/** What an entry is about. `exists`: it still has a page to link to. */
export const HistorySubject = Type.Object({
  kind: Type.Enum(['import', 'variant', 'certificate', 'member', 'deletion']),
  id: Id,
  label: Type.String(),
  exists: Type.Boolean(),
});
export type HistorySubject = Static<typeof HistorySubject>;

const Count = Type.Integer({ minimum: 0 });
/** `restored`: how many came back. */
const Deletion = Type.Object({ id: Id, restorable: Type.Boolean(), variants: Count, restored: Count });

export const HistoryEntry = Type.Object({
  id: Id,
  at: Type.String({ format: 'date-time' }),
  by: Type.Object({
    kind: Type.Enum([...HISTORY_ACTORS]),
    id: Type.Union([Id, Type.Null()], { description: 'Of a person or a key: to filter by.' }),
    name: Type.String({ description: 'In the language of the request.' }),
  }),
  action: Type.String({ description: 'A code such as `variant.edited`.' }),
  text: Type.String({ description: 'What was done, in the language of the request.' }),
  subjects: Type.Array(HistorySubject),
  deletion: Type.Union([Deletion, Type.Null()], {
    description: 'Of a deletion of variants, for as long as it is kept.',
  }),
});
export type HistoryEntry = Static<typeof HistoryEntry>;

const Narrowing = Type.Object({
  person: Type.Optional(
    Type.Integer({
      minimum: NO_PERSON,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Id of a user; 0: the operator and the system.',
    }),
  ),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Not before this moment.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Before this moment.' })),
});

export const HistoryQuery = Type.Interface([Narrowing], {
  before: Type.Optional(Id),
  after: Type.Optional(Id),
  page_size: Type.Optional(PageSize),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

export const HistoryPage = Type.Object({
  results: Type.Array(HistoryEntry),
  older: Type.Union([Id, Type.Null()], { description: 'As `before`: the next page. Null: there is none.' }),
  newer: Type.Union([Id, Type.Null()], { description: 'As `after`: the page before. Null: there is none.' }),
});
export type HistoryPage = Static<typeof HistoryPage>;

export const listHistory = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/history/',
  summary: 'What was done in the brand, newest first',
  description:
    'Entries about members, invitations and keys are for admins and owners only. Kept for two years, unless the installation is configured otherwise.',
  tag,
  access: 'viewer',
  params: BrandParams,
  query: HistoryQuery,
  status: 200,
  response: HistoryPage,
  errors: ['brand_not_found'],
});

export const HistoryFilters = Type.Object({
  people: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  actions: Type.Array(Type.Object({ action: Type.String(), label: Type.String() })),
});
export type HistoryFilters = Static<typeof HistoryFilters>;

export const getHistoryFilters = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/history/filters/',
  summary: 'The people and actions that occur in the history',
  tag,
  access: 'viewer',
  params: BrandParams,
  status: 200,
  response: HistoryFilters,
  errors: ['brand_not_found'],
});

export const HistoryExportQuery = Type.Interface([Narrowing], { format: ExportFormat });
export type HistoryExportQuery = Static<typeof HistoryExportQuery>;

export const exportHistory = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/history/export/',
  summary: 'What the history shows as a file',
  tag,
  access: 'viewer',
  params: BrandParams,
  query: HistoryExportQuery,
  status: 200,
  responseKind: 'file',
  fileTypes: EXPORT_FILE_TYPES,
  errors: ['brand_not_found'],
});
