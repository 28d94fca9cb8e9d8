import { useState } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import type { Column, ServerSorting } from '../ui/data-table-model.ts';
import { toast } from '../ui/toast-store.ts';
import { Section } from './section.tsx';

interface Item {
  number: string;
  name: string;
  weight: number;
  ready: boolean;
}

const names = ['Oat drink', 'Rye crispbread', 'Sea salt', 'Elderflower cordial', 'Roasted almonds', 'Green tea'];
const items: Item[] = Array.from({ length: 1_234 }, (_item, index) => ({
  number: String(4006381000000 + index * 37),
  name: `${names[index % names.length]} ${index + 1}`,
  weight: 100 + ((index * 73) % 900),
  ready: index % 3 !== 0,
}));

const columns: Column<Item>[] = [
  { id: 'number', header: 'Number', cell: ({ number }) => number, cellClassName: 'font-mono whitespace-nowrap' },
  { id: 'name', header: 'Name', sortable: true, cell: ({ name }) => name, className: 'min-w-48' },
  { id: 'weight', header: 'Weight (g)', sortable: true, cell: ({ weight }) => weight, align: 'end' },
  {
    id: 'ready',
    header: 'Status',
    cell: ({ ready }) => (ready ? <Badge tone="success">Validated</Badge> : <Badge tone="warning">Pending Review</Badge>),
  },
];
const rowId = (item: Item) => item.number;
const noItems: Item[] = [];

export function TablesSection() {
  const [isFetching, setFetching] = useState(false);
  const [sort, setSort] = useState<ServerSorting['sort']>(null);
  const sorted = items.toSorted(
    (a, b) => (sort?.desc ? -1 : 1) * (sort?.id === 'weight' ? a.weight - b.weight : sort ? a.name.localeCompare(b.name) : 0),
  );
  return (
    <Section title="Tables">
      <div className="flex flex-col gap-5">
        <DataTable
          label="Items"
          columns={columns}
          rows={sorted}
          rowId={rowId}
          sorting={{ sort, onChange: setSort }}
          pageSizes={[10, 20, 50, 100]}
          isFetching={isFetching}
          onRowClick={(item) => toast({ title: item.name })}
        />
        <div>
          <Button onClick={() => setFetching(!isFetching)}>Fetching: {isFetching ? 'on' : 'off'}</Button>
        </div>
        <DataTable label="Items on their way" columns={columns} rows={noItems} rowId={rowId} isLoading />
        <DataTable label="No items" columns={columns} rows={noItems} rowId={rowId} />
        <DataTable
          label="No items, with a next step"
          columns={columns}
          rows={noItems}
          rowId={rowId}
          hint={{ text: 'Nothing was found for “tea”.', action: <Button>Clear search</Button> }}
        />
      </div>
    </Section>
  );
}
