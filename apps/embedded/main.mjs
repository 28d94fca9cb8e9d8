// JavaScript, so that a Node without TypeScript can run it, and say what it lacks.
import process from 'node:process';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `The server needs Node 22.18 or newer, but this is Node ${process.versions.node}. "npm start" brings a newer one.\n`,
  );
  process.exitCode = 1;
} else {
  await import('./src/main.ts');
}
