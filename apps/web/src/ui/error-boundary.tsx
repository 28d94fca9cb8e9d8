import { Component, type ReactNode } from 'react';
import { forgetFailures } from '../lib/lazy.ts';
import { logError } from '../lib/log.ts';
import { ErrorState } from './error-state.tsx';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Replaces the default error with its retry button; null renders nothing. */
  fallback?: ReactNode;
  /** A change of this key renders the children again: a broken page must not stay after navigation. */
  resetKey?: string;
}

interface ErrorBoundaryState {
  failed: boolean;
  resetKey?: string;
}

/** An error in one part of a page must not unmount the rest. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failed: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError(): Partial<ErrorBoundaryState> {
    return { failed: true };
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return resetKey === state.resetKey ? null : { failed: false, resetKey };
  }

  override componentDidCatch(error: unknown) {
    logError('A part of the page failed:', error);
    forgetFailures();
  }

  private readonly retry = () => this.setState({ failed: false });

  override render() {
    const { children, fallback = <ErrorState onRetry={this.retry} /> } = this.props;
    return this.state.failed ? fallback : children;
  }
}
