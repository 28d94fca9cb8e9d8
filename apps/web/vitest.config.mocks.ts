import { webTests } from './vitest.config.ts';

export default webTests('web-mocks');
