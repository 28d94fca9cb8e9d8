/** Appends the check digit to twelve digits, which makes the weighted sum a multiple of ten (GS1 General Specifications, 7.9). */
export function toGtin13(digits: string): string {
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += Number(digits[index]) * (index % 2 === 0 ? 1 : 3);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
