import { HTTP_TIMEOUT_MS } from '@brand-portal/contract/constants';
import { ApiError } from './api-error.ts';

interface Transfer {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: FormData;
  signal?: AbortSignal;
  /** The uploaded fraction of the body, from 0 to 1. */
  onProgress?: (sent: number) => void;
}

interface TransferAnswer {
  status: number;
  body: Blob;
}

/**
 * For files, which can take long on a slow connection: the timeout counts from the last progress event, not from the
 * start. Uses XMLHttpRequest, because fetch does not report upload progress.
 */
export function transfer({ method, path, headers, body, signal, onProgress }: Transfer): Promise<TransferAnswer> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<TransferAnswer>();
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const giveUpAfter = (milliseconds: number) => {
    clearTimeout(timeout);
    timeout = setTimeout(() => {
      reject(new ApiError({ code: 'timeout' }));
      abort();
    }, milliseconds);
  };

  request.open(method, path);
  request.responseType = 'blob';
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => {
    giveUpAfter(HTTP_TIMEOUT_MS);
    onProgress?.(total > 0 ? loaded / total : 0);
  };
  request.upload.onload = () => {
    giveUpAfter(HTTP_TIMEOUT_MS);
    onProgress?.(1);
  };
  request.onprogress = () => giveUpAfter(HTTP_TIMEOUT_MS);
  request.onload = () => resolve({ status: request.status, body: request.response as Blob });
  request.onerror = () => reject(new ApiError({ code: 'network_error' }));
  request.onabort = () => reject(signal?.reason);
  request.onloadend = () => {
    clearTimeout(timeout);
    signal?.removeEventListener('abort', abort);
  };
  signal?.addEventListener('abort', abort);
  giveUpAfter(HTTP_TIMEOUT_MS);
  request.send(body);
  return promise;
}
