import { runCommand } from '../../apps/embedded/src/cli/portal.ts';

/** Runs the operator's commands one after the other, each in the environment that it is sent with. See `portal.ts`. */
export interface OperatorCommand {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface OperatorAnswer {
  readonly code: number;
  readonly output: string;
}

let output = '';
const collect: typeof process.stdout.write = (text: Uint8Array | string) => {
  output += text;
  return true;
};
process.stdout.write = collect;
process.stderr.write = collect;

process.on('message', async ({ args, env }: OperatorCommand) => {
  output = '';
  process.env = env;
  const code = await runCommand(args);
  process.send?.({ code, output } satisfies OperatorAnswer);
});
process.on('disconnect', () => process.exit());
