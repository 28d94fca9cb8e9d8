import { afterAll } from 'vitest';
import { endFile } from './once-a-file.ts';

afterAll(endFile);
