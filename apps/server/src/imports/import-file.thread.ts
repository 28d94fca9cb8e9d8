import { serveCalls } from '../files/threads/serve-calls.ts';
import { type FileHeader, type FileRequest, type ImportFile, openImportFile } from './import-file.ts';

/** The thread that `file-reader.ts` starts. It has one file open at a time. */

let file: ImportFile | undefined;

function getFile(): ImportFile {
  if (!file) throw new Error('No file is open.');
  return file;
}

serveCalls({
  async open(request: FileRequest): Promise<FileHeader> {
    file = await openImportFile(request);
    return file.header;
  },
  rows: () => getFile().rows(),
  cells: (wanted: readonly number[]) => getFile().cells(wanted),
  async close(): Promise<void> {
    file?.close();
    file = undefined;
  },
});
