import { ClampedText } from '../ui/clamped-text.tsx';
import { Section } from './section.tsx';

const pairs = [
  'bg-background text-text',
  'bg-background-secondary text-text-secondary',
  'bg-surface text-text-tertiary',
  'bg-surface-hover text-text',
  'bg-primary text-on-primary',
  'bg-primary-bg text-primary',
  'bg-success-bg text-success',
  'bg-warning-bg text-warning',
  'bg-error-bg text-error',
];

export function PaletteSection() {
  return (
    <Section title="Palette and type">
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {pairs.map((pair) => (
          <div key={pair} className={`rounded-control border p-3 text-caption ${pair}`}>
            {pair}
          </div>
        ))}
      </div>
      <div className="mt-5 flex flex-col gap-2">
        <p className="font-semibold text-display">Display 24 semibold</p>
        <p className="font-semibold text-title">Title 20 semibold</p>
        <p className="font-semibold text-heading">Heading 16 semibold</p>
        <p>Body 14: the quick brown fox jumps over the lazy dog.</p>
        <p className="text-small">Small 13: ¿Qué página, señor? Año, pingüino.</p>
        <p className="text-caption text-text-tertiary">Caption 12: what is said quietly.</p>
        <p className="font-mono text-small">04006381333931</p>
        <p className="max-w-60">
          <ClampedText lines={2} text="Clamped to two lines: what is cut off here appears under the pointer and on focus, whole." />
        </p>
      </div>
    </Section>
  );
}
