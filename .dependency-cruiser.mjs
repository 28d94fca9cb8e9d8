/**
 * Who may import whom (docs/ARCHITECTURE.md). Every rule has a deliberate breach in scripts/import-rules.test.ts.
 * What an import graph cannot show (process.env, kysely's sql tag) is in scripts/source-rules.ts.
 */

/** Tests and what only they use may reach across the layers of their own app, never into the other app. */
const TEST_FILES = '(\\.test\\.tsx?$|/(test|testing|test-support)/|/vitest\\.[^/]+\\.ts$)';

const SERVER = '^apps/server/src/';
/** The server and the stand-ins around it. */
const BACK = '^apps/(server|embedded)/src/';
const QUERIES = '\\.queries\\.ts$';
const ROUTES = '\\.routes\\.ts$';

/** The server from the ground up. A room imports what lies on lower floors, and nothing beside it or above it. */
const FLOORS = [
  ['lib'],
  ['db', 'files'],
  ['queue', 'http', 'audit'],
  ['writes', 'mail'],
  ['people'],
  ['catalog'],
  ['imports', 'channel'],
  ['operations'],
  ['entry'],
];
const DOMAINS = `${SERVER}(people|catalog|imports|channel|operations)/`;
/** The folder whose files may use each other's queries. */
const MODULE = `${SERVER}((?:people|catalog|operations)/[^/]+|imports|channel)/`;
/** A file of a domain that is neither routes nor queries: its rules. What a cell of a file may be is known to queries as well. */
const LOGIC = `${DOMAINS}(?!fields/|rows/|.*\\.(routes|queries)\\.ts$).+\\.ts$`;

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const wholeHouse = [
  {
    name: 'no-cycles',
    comment: 'Two files that need each other are one thing or have a third between them. Types count too.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-unresolved',
    comment: 'An import that this check cannot resolve is an import that no other rule here can see.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'no-barrel-files',
    comment: 'A re-export hides who uses what: import the file that defines it (the contract exposes subpaths).',
    severity: 'error',
    from: { path: '^(apps|packages|e2e|bench|scripts)/' },
    to: { path: '^(apps|packages|e2e|bench|scripts)/', dependencyTypes: ['export'] },
  },
  {
    name: 'no-index-files',
    comment: 'A file is named after what it holds; `index` names nothing and invites barrels.',
    severity: 'error',
    from: {},
    to: { path: '^(apps|packages|e2e|bench|scripts)/.*index\\.tsx?$', pathNot: '[^/]index\\.tsx?$' },
  },
  {
    name: 'contract-stands-alone',
    comment: 'The contract is read by both sides and drags nothing along but its schema library.',
    severity: 'error',
    from: { path: '^packages/contract/src/', pathNot: TEST_FILES },
    to: { pathNot: ['^packages/contract/src/', '^node_modules/typebox/'] },
  },
  {
    name: 'web-not-to-server',
    comment: 'The browser knows the server by the contract alone.',
    severity: 'error',
    from: { path: '^apps/web/' },
    to: { path: '^apps/(server|embedded)/' },
  },
  {
    name: 'server-not-to-web',
    comment: 'The server serves the built web app as files and imports none of it.',
    severity: 'error',
    from: { path: '^apps/(server|embedded)/' },
    to: { path: '^apps/web/' },
  },
  {
    name: 'outside-not-into-apps',
    comment: 'Journeys, benchmarks and scripts use the apps as people do: as processes and over HTTP.',
    severity: 'error',
    from: { path: '^(e2e|bench|scripts)/' },
    to: { path: '^apps/' },
  },
  {
    name: 'apps-not-to-outside',
    comment: 'A product never depends on its tests, benchmarks or scripts.',
    severity: 'error',
    from: { path: '^(apps|packages)/' },
    to: { path: '^(e2e|bench|scripts)/' },
  },
];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const web = [
  {
    name: 'web-lib-is-the-bottom',
    comment: 'lib knows nothing of the product: no component, no feature, no screen.',
    severity: 'error',
    from: { path: '^apps/web/src/lib/', pathNot: TEST_FILES },
    to: { path: '^apps/web/src/', pathNot: '^apps/web/src/(lib|locales)/' },
  },
  {
    name: 'web-ui-only-to-lib',
    comment: 'Components know the language and the theme (lib), never a feature or the app around them.',
    severity: 'error',
    from: { path: '^apps/web/src/ui/', pathNot: TEST_FILES },
    to: { path: '^apps/web/src/', pathNot: '^apps/web/src/(ui|lib)/' },
  },
  {
    name: 'web-features-not-to-app',
    comment: 'app composes features; a feature that reaches up closes a circle.',
    severity: 'error',
    from: { path: '^apps/web/src/features/', pathNot: TEST_FILES },
    to: { path: '^apps/web/src/', pathNot: '^apps/web/src/(features|ui|lib)/' },
  },
  {
    name: 'web-feature-by-its-surface',
    comment:
      "A feature uses of another feature only its data (*-queries.ts), its shared state (*-store.ts) and components named as exported (*.exported.tsx). Everything else is that feature's own business.",
    severity: 'error',
    from: { path: '^apps/web/src/features/([^/]+)/', pathNot: TEST_FILES },
    to: {
      path: '^apps/web/src/features/',
      pathNot: ['^apps/web/src/features/$1/', '^apps/web/src/features/[^/]+/[^/]+(-queries\\.ts|-store\\.ts|\\.exported\\.tsx)$'],
    },
  },
];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const server = [
  {
    name: 'server-main-is-the-top',
    comment: 'main starts the process on import, so nothing imports it but main.mjs, which checks the version of Node first.',
    severity: 'error',
    from: { pathNot: 'main\\.mjs$' },
    to: { path: `${BACK}(entry/)?main\\.ts$` },
  },
  {
    name: 'server-app-only-from-start',
    comment: 'main → start → app: whoever else needs a piece of the app imports that piece.',
    severity: 'error',
    from: { path: BACK, pathNot: [`${SERVER}entry/start\\.ts$`, TEST_FILES] },
    to: { path: `${SERVER}entry/app\\.ts$` },
  },
  {
    name: 'server-routes-only-from-app',
    comment: 'app → routes: every registration is readable in app.ts.',
    severity: 'error',
    from: { path: BACK, pathNot: [`${SERVER}entry/app\\.ts$`, TEST_FILES] },
    to: { path: ROUTES },
  },
  {
    name: 'server-queries-not-to-logic',
    comment: 'Queries are the bottom of a module: they know the database and the contract, no rules, no HTTP, no jobs.',
    severity: 'error',
    from: { path: `${BACK}.*${QUERIES}` },
    to: { path: [LOGIC, ROUTES, `${SERVER}(http|queue)/`] },
  },
  {
    name: 'server-queries-of-their-module',
    comment: "A module calls another module's logic file, never its queries: those hold only under its rules.",
    severity: 'error',
    from: { path: MODULE, pathNot: TEST_FILES },
    to: { path: QUERIES, pathNot: `${SERVER}$1/` },
  },
  {
    name: 'server-queries-not-from-elsewhere',
    comment:
      'app, http, operator commands and stand-ins go through the logic of a module as well. Jobs may call queries where there is no rule to apply, as routes may.',
    severity: 'error',
    from: { path: BACK, pathNot: [DOMAINS, `${SERVER}entry/tasks\\.ts$`, TEST_FILES] },
    to: { path: `${DOMAINS}.*${QUERIES}` },
  },
  ...FLOORS.flatMap((rooms, floor) =>
    rooms.map((room) => ({
      name: `server-floor-of-${room}`,
      comment: 'A room imports what lies on lower floors, and nothing beside it or above it.',
      severity: 'error',
      from: { path: `${SERVER}${room}/`, pathNot: TEST_FILES },
      to: { path: `${SERVER}(${FLOORS.slice(floor).flat().join('|')})/`, pathNot: `${SERVER}${room}/` },
    })),
  ).slice(0, -1),
  {
    name: 'server-not-to-embedded',
    comment: 'The server runs without the stand-ins: they are handed to it by apps/embedded/src/main.ts.',
    severity: 'error',
    from: { path: SERVER, pathNot: TEST_FILES },
    to: { path: '^apps/embedded/' },
  },
  {
    name: 'server-not-to-test-support',
    comment: 'What only tests use never runs in production.',
    severity: 'error',
    from: { path: BACK, pathNot: TEST_FILES },
    to: { path: '^apps/(server|embedded)/.*(test|testing|test-support)/' },
  },
];

export default {
  forbidden: [...wholeHouse, ...web, ...server],
  options: {
    // TypeScript 7 has no compiler API for JavaScript; swc also sees type-only imports.
    parser: 'swc',
    moduleSystems: ['es6', 'cjs'],
    exclude: { path: ['^(apps|packages)/[^/]+/(dist|coverage)/', '^e2e/(test-results|playwright-report)/'] },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default', 'style'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.d.ts', '.css'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
