import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Has the row heights of a brand card, so that the layout does not shift when the brands load. */
export function BrandCardSkeleton() {
  return (
    <Card className="flex h-full flex-col @max-xs:p-4">
      <div className="flex items-center gap-3">
        <Skeleton className="size-11 rounded-control" />
        <div className="flex-1">
          <Skeleton className="my-1 h-4 w-2/5" />
          <Skeleton className="my-1 h-3 w-3/5" />
        </div>
      </div>
      <div className="mt-3.5 min-h-10">
        <Skeleton className="my-1 h-3 w-full" />
        <Skeleton className="mt-2 h-3 w-3/4" />
      </div>
      <div className="mt-3 h-5 py-1">
        <Skeleton className="h-3 w-1/2" />
      </div>
      <div className="mt-2 flex h-6 items-center @max-3xs:h-13">
        <Skeleton className="h-3 w-1/4" />
      </div>
      <div className="mt-4 flex gap-2 border-t pt-4">
        <Skeleton className="control-height-dense flex-1 rounded-control" />
        <Skeleton className="control-height-dense flex-1 rounded-control" />
      </div>
    </Card>
  );
}
