import { addCounts, type Counts, nameFailure, summary } from './test-counts.ts';
import beginTestRun from './test-run.ts';
import { ALL, PARTS, STEPS, type Step, stepsMatching } from './test-steps.ts';

const known = [...STEPS, ...PARTS];

beginTestRun();

/** The steps asked for, with what they need, in the order of a full run. No name means all of them. A word that names no step names tests. */
function chooseSteps(names: string[]): Step[] {
  if (names.length === 0) return STEPS;
  const words = names.filter((name) => !known.some((step) => step.name === name));
  const matching = words.length > 0 ? stepsMatching(words) : [];
  if (words.length > 0 && matching.length === 0) {
    console.error(`No test has ${words.join(' or ')} in its file's name or its title. Steps: ${known.map(({ name }) => name).join(', ')}.`);
    process.exit(2);
  }
  const all = [...known, ...matching];
  const asked = all.filter((step) => names.includes(step.name) || matching.includes(step));
  const wanted = new Set(asked.flatMap(({ name, needs }) => [...needs, name]));
  return all.filter(({ name }) => wanted.has(name));
}

async function runStep({ title, run, isCheck }: Step): Promise<Counts> {
  const heading = `\n── ${title} ${'─'.repeat(Math.max(3, 60 - title.length))}`;
  if (!isCheck) console.log(heading);
  const started = Date.now();
  const { output, ...found } = await run();
  const counts = nameFailure(title, found);
  if (isCheck) console.log(`${heading}\n${output ?? ''}`.trimEnd());
  for (const problem of counts.problems) console.error(`error: ${problem}`);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${counts.failed === 0 ? '✓' : '✗'} ${title}: ${seconds} s`);
  return counts;
}

const options = process.argv.slice(2);
const isAll = options[0] === 'all';
const rounds = options.find((option) => option.startsWith('--rounds='))?.slice('--rounds='.length);
if (isAll || rounds !== undefined) {
  process.env.ALL_TESTS = '1';
  process.env.FAULT_ROUNDS ??= rounds ?? '10';
  process.env.FUZZ_REQUESTS ??= rounds ?? '1000';
}

const steps = isAll ? ALL : chooseSteps(options.filter((option) => !option.startsWith('--')));
// The running tool gets the same signal from the terminal; once it has ended, so do we.
let interrupted = false;
process.on('SIGINT', () => {
  interrupted = true;
});

// The checks are short and use one core each.
const results = await Promise.all(steps.filter(({ isCheck }) => isCheck).map(runStep));
for (const step of steps.filter(({ isCheck }) => !isCheck)) {
  if (interrupted) process.exit(130);
  results.push(await runStep(step));
}
if (interrupted) process.exit(130);
const total = addCounts(results);
console.log(`\n${summary(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
