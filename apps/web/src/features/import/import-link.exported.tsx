import { Link } from 'react-router';
import { importPath } from '../../lib/paths.ts';

/** To the import that something came with, if it came with one. */
export function ImportLink({ brandId, source }: { brandId: number; source: { id: number; file_name: string } | null }) {
  if (!source) return null;
  return (
    <Link to={importPath(brandId, source.id)} className="text-primary hover:underline">
      {source.file_name}
    </Link>
  );
}
