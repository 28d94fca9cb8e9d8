import { FileRefusal } from '../../csv/file-refusal.ts';
import { serveCalls } from '../serve-calls.ts';

let calls = 0;

serveCalls({
  async count() {
    calls += 1;
    return calls;
  },
  async *numbers(from: number) {
    for (let number = from; number < from + 3; number++) yield number;
    return 'three numbers';
  },
  async refuse() {
    throw new FileRefusal('row_too_long', { row: 7, limit: 100 });
  },
  async spin() {
    for (;;);
  },
  async hoard() {
    const texts: string[][] = [];
    for (;;) texts.push(Array.from({ length: 1_000 }, (_, index) => `${texts.length} ${index}`));
  },
});
