import { Component, type ReactNode } from 'react';
import { logError } from '../lib/log.ts';
import { ErrorState } from './error-state.tsx';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** In place of the usual error with its retry button; null is nothing at all. */
  fallback?: ReactNode;
  /** When it changes, the children are tried again: a broken page must not outlive its address. */
  resetKey?: string;
}

interface ErrorBoundaryState {
  failed: boolean;
  resetKey?: string;
}

/** Keeps what breaks inside one part of a page from taking the rest with it. */
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
  }

  private readonly retry = () => this.setState({ failed: false });

  override render() {
    const { children, fallback = <ErrorState onRetry={this.retry} /> } = this.props;
    return this.state.failed ? fallback : children;
  }
}
