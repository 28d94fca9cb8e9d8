import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Mocks XMLHttpRequest step by step: a mocked network has no upload progress, and loses the file in a form. */
class MockTransfer {
  readonly upload: { onprogress?: (event: object) => void; onload?: () => void } = {};
  readonly headers: Record<string, string> = {};
  responseType = '';
  status = 0;
  response: Blob | undefined;
  body: FormData | undefined;
  address = '';
  isAborted = false;
  onprogress?: () => void;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;

  open(method: string, path: string) {
    this.address = `${method} ${path}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body?: FormData) {
    this.body = body;
  }
  abort() {
    this.isAborted = true;
    this.onabort?.();
    this.onloadend?.();
  }

  async reportUploaded(share: number) {
    await act(async () => this.upload.onprogress?.({ loaded: share * 1_000, total: 1_000 }));
  }
  async finishUpload() {
    await act(async () => this.upload.onload?.());
  }
  async reportReceived() {
    await act(async () => this.onprogress?.());
  }
  async answer(status: number, content: object | string) {
    this.status = status;
    this.response = new Blob([typeof content === 'string' ? content : JSON.stringify(content)]);
    await act(async () => {
      this.onload?.();
      this.onloadend?.();
    });
  }
  async fail() {
    await act(async () => {
      this.onerror?.();
      this.onloadend?.();
    });
  }
}

/** Mocks XMLHttpRequest until the end of the test. Returns the transfers that were started, in order. */
export function mockTransfers(): MockTransfer[] {
  const started: MockTransfer[] = [];
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends MockTransfer {
      constructor() {
        super();
        started.push(this);
      }
    },
  );
  return started;
}
