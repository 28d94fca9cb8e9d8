import { useState } from 'react';
import { Card } from '../ui/card.tsx';
import { DayField } from '../ui/day-field.tsx';
import { Label } from '../ui/field.tsx';
import { LanguageSwitch } from '../ui/language-switch.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { RuleList } from '../ui/rule-list.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Select } from '../ui/select.tsx';
import { SuggestField } from '../ui/suggest-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Section } from './section.tsx';

const filters = [
  { value: 'all', label: 'All' },
  { value: 'published', label: 'Published only' },
  { value: 'unpublished', label: 'Unpublished only' },
] as const;

const rules = [
  { id: 'length', text: 'At least 8 characters', isMet: true },
  { id: 'special', text: 'At least one sign', note: 'One of ! ? %', isMet: false },
];
const ruleWords = { title: 'Requirements', rules, metLabel: 'Met', unmetLabel: 'Not met' };

export function FieldsSection() {
  const [search, setSearch] = useState('');
  const [fruit, setFruit] = useState('');
  const [day, setDay] = useState('2027-01-31');
  const [filter, setFilter] = useState<(typeof filters)[number]['value']>('all');
  return (
    <Section title="Fields">
      <Card className="grid gap-5 md:grid-cols-3">
        <TextField label="First name" hint="Optional" placeholder="Ada" />
        <TextField label="Email" defaultValue="ada@example" error="Enter a whole email address." />
        <TextField label="Company" defaultValue="Analytical Engines" disabled />
        <SearchField label="Search" placeholder="Search by number or name…" value={search} onChange={setSearch} className="md:col-span-2" />
        <div className="flex items-center gap-3">
          <Label id="filter-label">Show</Label>
          <Select labelledBy="filter-label" value={filter} options={filters} onChange={setFilter} className="flex-1" />
          <LanguageSwitch compact />
        </div>
        <PasswordField
          label="Password"
          showLabel="Show password"
          hideLabel="Hide password"
          hint="The eye shows it"
          defaultValue="correct horse"
        />
        <SuggestField label="Fruit" value={fruit} onChange={setFruit} suggestions={['Apple', 'Banana', 'Cherry']} />
        <DayField label="Day" value={day} onChange={(next) => next !== undefined && setDay(next)} />
        <RuleList id="rules" {...ruleWords} />
        <RuleList id="insistent-rules" {...ruleWords} showErrors />
      </Card>
    </Section>
  );
}
