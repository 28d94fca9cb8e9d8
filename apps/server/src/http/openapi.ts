import { ErrorBody } from '@brand-portal/contract/errors';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

const DOCUMENT_PATH = '/api/v1/openapi.json';

/** The one style that Swagger UI adds by script is known by its checksum; a journey notices when a release changes it. */
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

/** A form cannot be validated as JSON is, so that its description is added for the document alone. */
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
  },
};

/** Must come before the routes it documents. */
export async function useOpenApi(app: FastifyInstance, publicUrl: string): Promise<void> {
  app.addSchema(ErrorBody);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Brand Portal',
        version: '1',
        description: 'Brands, their product variants, certificates and publishing.',
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: { access_token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
      security: [{ access_token: [] }],
    },
    transform: ({ schema, url }) => {
      const isForm = schema?.consumes?.includes('multipart/form-data');
      return { schema: isForm ? { ...schema, body: FILE_FORM } : schema, url };
    },
    refResolver: { buildLocalReference: (json, _baseUri, _fragment, index) => String(json.$id ?? `schema-${index}`) },
  });
  app.get(DOCUMENT_PATH, { schema: { hide: true } }, async () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: PAGE_POLICY,
    uiConfig: { url: DOCUMENT_PATH, docExpansion: 'list', deepLinking: true },
  });
}
