import { Link } from 'react-router';
import { importPath } from '../../lib/paths.ts';

/** A link to the import that created something, if there was one. */
export function ImportLink({ brandId, source }: { brandId: number; source: { id: number; file_name: string } | null }) {
  if (!source) return null;
  return (
    <Link to={importPath(brandId, source.id)} className="text-primary hover:underline">
      {source.file_name}
    </Link>
  );
}
