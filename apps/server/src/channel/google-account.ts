import { readFileSync } from 'node:fs';
import { StartupError } from '../lib/errors.ts';

/** The fields used of Google's key file for a service account. */
export interface ServiceAccount {
  readonly client_email: string;
  readonly private_key: string;
  /** The token endpoint. */
  readonly token_uri: string;
}

/** `named`: the setting that names the file, for error messages. */
export function readServiceAccount(path: string, named = 'GOOGLE_APPLICATION_CREDENTIALS'): ServiceAccount {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`The file that ${named} names cannot be read: ${path} (${code}).`);
  }
  const account = parseServiceAccount(text);
  if (!account) throw new StartupError(`${named} must name the JSON key file of a service account, but ${path} is not one.`);
  return account;
}

export function parseServiceAccount(text: string): ServiceAccount | undefined {
  const { client_email, private_key, token_uri = 'https://oauth2.googleapis.com/token' } = parseJson(text);
  const isWhole = [client_email, private_key].every((field) => typeof field === 'string' && field !== '');
  if (!isWhole || !URL.canParse(String(token_uri))) return undefined;
  return { client_email: String(client_email), private_key: String(private_key), token_uri: String(token_uri) };
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
