import { shorten } from './columns.ts';
import { anyOf, count, type ImportTexts, isTime } from './import-texts.ts';

const cellsAndColumns = (cells: number, columns: number) =>
  `${count('en', cells, { one: '1 cell', other: `${cells} cells` })}, but there ${count('en', columns, { one: 'is 1 column', other: `are ${columns} columns` })}`;

const asRead = (number: string | undefined) => (number === undefined ? '' : `With ${number.length} digits this number is ${number}. `);

const BOTH_NOTE = 'certificate_id and certification_name: both or neither. Choose the certification from the list in the cell.';
const GOOGLE_NOTE =
  'description, image_link and product_page_url: what Google shows of the product. Addresses begin with https://. A blank cell changes nothing.';

export const en: ImportTexts = {
  problems: {
    missing_value: 'This value is required.',
    too_long: ({ limit, length }) => `Too long: ${length} characters, at most ${limit} are allowed.`,
    control_characters: 'Contains a line break or another invisible control character. Please remove it.',
    damaged_characters: 'Contains characters that were damaged before the upload (�). Please type them again.',
    lost_letters: ({ value, stored }) =>
      stored
        ? `"${value}" has question marks where the product's present name, "${stored}", has letters. Type the name again and save the file as CSV UTF-8.`
        : `"${value}" has question marks where letters were: a program could not save them. Please type it again and save the file as CSV UTF-8.`,
    double_encoded: ({ value, repaired }) =>
      `"${value}" has garbled letters: the file was opened with the wrong encoding before. It was probably "${repaired}".`,
    spreadsheet_error: ({ value }) =>
      value.startsWith('##')
        ? `"${value}" is what a spreadsheet shows where a column is too narrow. Widen the column and save the file again.`
        : `"${value}" is the error of a formula in your spreadsheet. Correct the formula, or enter the value itself.`,
    cell_date: ({ value }) =>
      `This is a ${isTime(value) ? 'time' : 'date'} (${value}), not text. Spreadsheets often turn an entry into ${isTime(value) ? 'one' : 'a date'}. Please enter the original value; in a spreadsheet, format the column as text first.`,
    cell_lost_digits: ({ value }) =>
      `The number ${value} has more than 15 digits, and spreadsheets keep no more of a number: the last ones are lost. Format the column as text and enter it again.`,
    cell_not_calculated: () =>
      'The formula in this cell was never calculated. Open the workbook in your spreadsheet program, save it and upload it again, or enter the value itself.',
    gtin_characters: 'A GTIN has digits only. Please enter the number on the package.',
    gtin_length: ({ digits }) => `A GTIN has 8, 12, 13 or 14 digits, but this one has ${digits}. Please enter the number on the package.`,
    gtin_check_digit: ({ expected, found }) =>
      `The check digit (the last one) should be ${expected}, but it is ${found}. Please compare the number with the package.`,
    gtin_scientific: ({ value }) =>
      `A spreadsheet has shortened the number to ${value}, so its digits are lost. Format the column as text and enter the GTIN again.`,
    gtin_lost_zero:
      'The number has 11 digits. Spreadsheets drop a leading zero, but with a zero in front the check digit does not agree. Format the column as text and enter the GTIN again.',
    gtin_zeros: 'A GTIN cannot have zeros only.',
    gtin_restricted: ({ prefix, number }) =>
      `${asRead(number)}Numbers that begin with ${prefix} are for internal use in a shop or company and identify no product. Please use the GTIN that GS1 has assigned.`,
    gtin_coupon: ({ prefix, number }) =>
      `${asRead(number)}Numbers that begin with ${prefix} are for coupons and refunds and identify no product.`,
    unknown_certification: ({ name, suggestion }) =>
      `The certification "${name}" is not supported.${suggestion ? ` Did you mean "${suggestion}"?` : ' The upload dialog lists those that are, under "Supported certifications".'}`,
    ambiguous_certification: ({ name, choices }) =>
      `"${name}" could mean ${anyOf(
        'en',
        choices.map((choice) => `"${choice.name}" (${choice.body})`),
      )}. Please write the name of the one that is on the certificate.`,
    several_certifications: ({ name, names }) =>
      `"${name}" names several certifications (${names}). A row takes one: give each a row of its own with its certificate ID.`,
    certificate_id_scientific: ({ value }) =>
      `${value} is how a spreadsheet writes a number, not the id itself. Please enter the id as on the certificate; in a spreadsheet, format the column as text first.`,
    certificate_id_boolean: ({ value }) =>
      `${value} is how a spreadsheet writes yes or no, not a certificate id. Please enter the id; where there is no certificate, leave certificate_id and certification_name blank.`,
    certificate_id_missing: 'A certification name needs a certificate id. Please fill in certificate_id.',
    certification_name_missing: 'A certificate id needs a certification name. Please fill in certification_name.',
    contradicting_names: ({ row, stored }) =>
      stored === undefined
        ? `Row ${row} gives the same GTIN another name. Please keep the right one.`
        : `The product with this GTIN is already imported and has the name "${stored}". Use that name, or edit the product.`,
    contradicting_categories: ({ row, stored }) =>
      stored === undefined
        ? `Row ${row} gives the same GTIN another category. Please keep the right one.`
        : `The product with this GTIN is already imported and has the category "${stored}". Use that category, or edit the product.`,
    contradicting_details: ({ row, stored }) =>
      stored === undefined
        ? `Row ${row} gives the same GTIN another description, image or product page. Please keep the right one.`
        : `The product with this GTIN is already imported and has "${shorten(stored)}" here. Use that, or edit the product.`,
    certificate_link_alone: 'A link belongs to a certificate. Please fill in certification_name and certificate_id.',
    not_a_web_address: 'This is not a valid web address. It must start with https:// and must not contain a password.',
    contradicting_rows: ({ row }) =>
      `Row ${row} gives the same GTIN another certificate id for the same certification. Please keep the right one.`,
    stray_quote: ({ lines }) =>
      `A quote (") that opens in this row takes the next ${count('en', lines, { one: 'line', other: `${lines} lines` })} into its cell, so they were not read as rows. Close or remove the quote.`,
    too_many_cells: ({ cells, columns }) =>
      `The row has ${cellsAndColumns(cells, columns)}. Give every column a name or clear the extra cells; in a CSV file, put text that contains the separator in quotes.`,
    too_few_cells: ({ cells, columns }) =>
      `The row has ${cellsAndColumns(cells, columns)}, and required ones are missing. Please fill them in.`,
  },
  problemTitles: {
    missing_value: 'Missing value',
    too_long: 'Text is too long',
    control_characters: 'Line break or control character',
    damaged_characters: 'Damaged characters',
    lost_letters: 'Question marks in place of letters',
    double_encoded: 'Garbled letters',
    spreadsheet_error: 'Spreadsheet error',
    cell_date: 'Date in place of text',
    cell_lost_digits: 'Digits lost by a spreadsheet',
    cell_not_calculated: 'Formula without a result',
    gtin_characters: 'GTIN with other characters than digits',
    gtin_length: 'Wrong number of digits',
    gtin_check_digit: 'Wrong check digit',
    gtin_scientific: 'GTIN shortened by a spreadsheet',
    gtin_lost_zero: 'GTIN without its leading zero',
    gtin_zeros: 'GTIN of zeros only',
    gtin_restricted: 'GTIN for internal use',
    gtin_coupon: 'Number of a coupon',
    unknown_certification: 'Unknown certification',
    ambiguous_certification: 'Ambiguous certification',
    several_certifications: 'Several certifications in one row',
    certificate_id_scientific: 'Number in place of a certificate ID',
    certificate_id_boolean: 'TRUE or FALSE in place of a certificate ID',
    certificate_id_missing: 'Missing certificate ID',
    certification_name_missing: 'Missing certification name',
    contradicting_names: 'Different names for one GTIN',
    contradicting_categories: 'Different categories for one GTIN',
    contradicting_details: 'Different details for one GTIN',
    certificate_link_alone: 'Link without certificate',
    not_a_web_address: 'Not a valid web address',
    contradicting_rows: 'Different certificate IDs for one GTIN',
    stray_quote: 'Quote that is not closed',
    too_many_cells: 'Too many cells',
    too_few_cells: 'Too few cells',
  },
  warnings: {
    legacy_encoding: ({ encoding, sample }) =>
      `The file is not UTF-8. It was read as ${encoding}: "${sample}". If that looks wrong, save it as CSV UTF-8 and upload it again.`,
    mixed_encodings: ({ encoding, sample, lines }) =>
      `${count('en', lines, { one: '1 line is', other: `${lines} lines are` })} not UTF-8 like the rest of the file and read as ${encoding}: "${sample}". If that looks wrong, save the file as CSV UTF-8 and upload it again.`,
    chosen_sheet: ({ sheet }) => `The rows are those of the sheet "${sheet}".`,
    header_row: ({ row }) => `Row ${row} was taken as the header; what is above it is ignored.`,
    two_header_rows: ({ first, second }) => `Rows ${first} and ${second} were taken as the header together.`,
    repeated_header: ({ rows, count: number }) =>
      `${count('en', number, { one: `Row ${rows} has`, other: `Rows ${rows} have` })} the names of the columns once more and ${number === 1 ? 'was' : 'were'} skipped.`,
    chosen_columns: ({ columns }) => `Columns as you chose them: ${columns}.`,
    remembered_columns: ({ columns }) => `Columns as they were chosen for an earlier file: ${columns}.`,
    ignored_columns: ({ columns }) => `Unknown columns are ignored: ${columns}.`,
    formulas: ({ cells }) =>
      cells === 1
        ? '1 cell has a formula; the value that it had when the workbook was saved is imported.'
        : `${cells.toLocaleString('en')} cells have formulas; the values that they had when the workbook was saved are imported.`,
    hidden_rows: ({ rows }) =>
      `${count('en', rows, { one: '1 row is', other: `${rows.toLocaleString('en')} rows are` })} hidden in the workbook, perhaps by a filter, and ${rows === 1 ? 'is' : 'are'} imported too.`,
    merged_cells: ({ range, others }) =>
      `Merged cells (${range}${others > 0 ? ` and ${others.toLocaleString('en')} more` : ''}): Excel stores the value in the first row only, so the other rows have none. Unmerge the cells and fill in every row.`,
    unknown_channels: ({ channels }) =>
      `These channels are not offered, so their rows are imported but not published: ${channels}. The only channel is Google.`,
    spreadsheet_names: ({ count: names, row, name }) =>
      names === 1
        ? `1 name looks like what a spreadsheet makes of an entry, a date or TRUE/FALSE: row ${row} "${name}". If that is not the name, correct it.`
        : `${names.toLocaleString('en')} names look like what a spreadsheet makes of an entry, a date or TRUE/FALSE: row ${row} "${name}" and others. If that is not the name, correct it.`,
    spreadsheet_categories: ({ count: categories, row, category }) =>
      categories === 1
        ? `1 category looks like what a spreadsheet makes of an entry, a date or TRUE/FALSE: row ${row} "${category}". If that is not the category, correct it.`
        : `${categories.toLocaleString('en')} categories look like what a spreadsheet makes of an entry, a date or TRUE/FALSE: row ${row} "${category}" and others. If that is not the category, correct it.`,
    nameless_columns: ({ columns, count: number, row, value }) =>
      number === 1
        ? `A column without a name is ignored: ${columns}. The first of its cells is in row ${row}: "${value}". If it belongs to the table, give it a name and upload the file again.`
        : `Columns without a name are ignored: ${columns}. The first of their cells is in row ${row}: "${value}". If they belong to the table, give them a name and upload the file again.`,
    many_renamed: ({ renamed, known }) =>
      `Products you already have that would be renamed: ${renamed.toLocaleString('en')} of ${known.toLocaleString('en')}. Check that the new names are right.`,
    ignored_edits: ({
      removed_certificates: removed = 0,
      published = 0,
      certificate_status: statuses = 0,
      certificate_expires_on: days = 0,
      ...emptied
    }) => {
      const products = (number: number) => `${number.toLocaleString('en')} ${number === 1 ? 'product' : 'products'}`;
      const certificates = (number: number) => `${number.toLocaleString('en')} ${number === 1 ? 'certificate' : 'certificates'}`;
      const edits = [
        ...(published ? [`published (${products(published)})`] : []),
        ...(statuses ? [`certificate_status (${certificates(statuses)})`] : []),
        ...(days ? [`certificate_expires_on (${certificates(days)})`] : []),
        ...Object.entries(emptied).map(
          ([column, number]) => `${column} left blank (${column === 'certificate_link' ? certificates(number) : products(number)})`,
        ),
        ...(removed ? [`certificates removed (${removed.toLocaleString('en')})`] : []),
      ];
      return `The file differs from your data in places that an import doesn't change: ${edits.join(', ')}. Make these changes in the portal.`;
    },
    mistyped_certificates: ({ ids }) => `Certificate IDs that are probably mistyped, with the likely ones: ${ids}.`,
    malformed_certificates: ({ ids, count: number }) =>
      number === 1
        ? `A certificate ID doesn't have its certification's format: ${ids}. Such a certificate is invalid. Check it for typos.`
        : `${number.toLocaleString('en')} certificate IDs don't have their certification's format: ${ids}. Such certificates are invalid. Check them for typos.`,
    published_rows: ({ variants }) =>
      variants === 1
        ? '1 variant was published to Google, as the column publishing_channel asks for.'
        : `${variants.toLocaleString('en')} variants were published to Google, as the column publishing_channel asks for.`,
    further_certificates: ({ variants }) =>
      `${count('en', variants, { one: '1 variant has', other: `${variants.toLocaleString('en')} variants have` })} a further certificate of a certification that ${variants === 1 ? 'it' : 'they'} had already. If an earlier id was mistyped, remove that certificate on the page Certificates.`,
    publishing_needs_trial:
      'The column publishing_channel names Google, but nothing was published: start the free trial first, then publish the variants or upload the file again.',
    publishing_needs_review:
      'The column publishing_channel names Google, but nothing was published: this brand is pending review. Ask support; then publish the variants or upload the file again.',
  },
  refusals: {
    empty_file: 'Empty CSV file',
    header_only: 'The file has a header, but no rows below it.',
    not_text: 'This is not a CSV file: it contains binary data. Please save your table as CSV (UTF-8) and upload that file.',
    workbook:
      'This is a workbook or an archive, not a CSV file. Open it in your spreadsheet program, save it as CSV (UTF-8) and upload that file.',
    archive: 'This is an archive or a document, not a workbook. Please upload an Excel workbook (.xlsx) or a CSV file.',
    image: ({ format }) => `This is a ${format} image, not a CSV file. Upload a CSV file or an Excel workbook (.xlsx).`,
    pdf: 'This is a PDF document, not a CSV file. Upload a CSV file or an Excel workbook (.xlsx).',
    utf32: 'This file is in UTF-32, which spreadsheet apps do not read. Save it as CSV UTF-8 and upload that file.',
    document: 'This is a web page or another kind of text, not a table. Please upload an Excel workbook (.xlsx) or a CSV file.',
    old_workbook:
      'This is a workbook in the old Excel format (.xls). Open it in your spreadsheet program, save it as .xlsx and upload that file.',
    binary_workbook: 'This is a binary Excel workbook (.xlsb). Open it in Excel, save it as .xlsx and upload that file.',
    encrypted_workbook: 'The workbook has a password. Remove the password in Excel, save it and upload it again.',
    workbook_macros: 'The workbook contains macros. Save it as .xlsx, which has none, and upload that file.',
    workbook_bomb: 'The workbook unpacks to far more data than a table has. Copy its rows into a new workbook and upload that.',
    workbook_entities:
      'The workbook contains XML declarations (DOCTYPE) that could refer to other files. Save it again in your spreadsheet program and upload that file.',
    broken_workbook: 'The workbook is damaged. Open it in your spreadsheet program, save it again and upload that file.',
    opendocument: 'This is an OpenDocument spreadsheet (.ods). Save it as .xlsx or as CSV (UTF-8) and upload that file.',
    empty_workbook: 'The workbook is empty: none of its sheets has any text in its first rows.',
    hidden_sheets: ({ names }) =>
      names.length === 1
        ? `The sheet with the required columns is hidden: ${names.join(', ')}. Unhide it in your spreadsheet program, save the workbook and upload it again.`
        : `The sheets with the required columns are hidden: ${names.join(', ')}. Unhide the right one in your spreadsheet program, save the workbook and upload it again.`,
    no_sheet: ({ columns, sheets }) =>
      `No sheet of the workbook has the required columns: ${columns}. Choose the one with your products: ${sheets.join(', ')}. If its columns have other names, you are asked which is which.`,
    several_sheets: ({ sheets }) =>
      `Several sheets of the workbook have the required columns: ${sheets.join(', ')}. Choose one of them and upload the file again.`,
    missing_columns: ({ columns, found, question }) =>
      `Required columns are missing: ${columns}. Row ${question?.header_row ?? 1} has: ${found}. Please name the columns as in the template.`,
    one_column: ({ header }) =>
      `All columns are in one: the header is a single cell, "${header}". Split it (in Excel: Data, Text to Columns), save the file and upload it again.`,
    unmapped_columns: ({ columns }) =>
      `${columns ? `Some columns have other names than in the template: ${columns}. ` : ''}Choose which column is which, and upload the file again.`,
    no_header: ({ row, value }) =>
      `The file has no header row: row ${row} looks like a product (${value}). Add a row with the names of the columns above it, and upload the file again.`,
    no_such_column: ({ column, columns }) =>
      `Column ${column} was chosen, but the header has ${count('en', columns, { one: '1 column', other: `${columns} columns` })}. Please choose again.`,
    duplicate_column: ({ column }) => `The column ${column} occurs more than once. Please keep one of them.`,
    too_many_variants: ({ created, used, limit }) =>
      `The file has ${created.toLocaleString('en')} new variants. The brand has ${used.toLocaleString('en')}, including deleted ones that can still be restored, and can have ${limit.toLocaleString('en')}. Nothing was imported.`,
    too_many_rows: ({ limit }) => `The file has more than ${limit.toLocaleString('en')} rows. Please split it.`,
    too_many_columns: ({ row, limit }) =>
      `Row ${row} has more than ${limit.toLocaleString('en')} cells. Remove the columns that are not needed, or check the separator.`,
    row_too_long: ({ row, limit }) => `Row ${row} is longer than ${limit / 1024} KB. Perhaps a quote (") that opens there is never closed.`,
    too_complex: 'The file needs far more memory than a table of its size. Copy its rows into a new file and upload that.',
    open_quote: ({ row }) => `A quote (") that opens in row ${row} is never closed. Close or remove it.`,
  },
  uploads: {
    too_large: (limitMegabytes) => `The file is larger than ${limitMegabytes} MB. Please split it.`,
    no_form: 'The file must come in the field "file" of a form (multipart/form-data with its boundary).',
    no_file: 'The form has no file in the field "file".',
    two_files: 'The form has more than one file. Please upload one file at a time.',
    stalled: 'The upload stopped before the file was complete. Please try again.',
    crowded: (whose, count) =>
      `${count} imports of ${whose === 'member' ? 'yours' : 'this brand'} are waiting or running. Try again when one of them has ended.`,
    arriving: 'Too many files are being uploaded at the same time. Try again when one of them has arrived.',
    no_mapping: 'The field "mapping" must name what each column is: {"0": "variant_name", "1": "gtin"}.',
    field_twice: (field) => `Two columns are chosen for ${field}. Please choose one of them.`,
    no_room: 'The server has no storage space left for your file. Nothing was imported; please try again later.',
  },
  template: {
    products: 'Products',
    certifications: 'Certifications',
    notes: 'Notes',
    before: [
      'Fill in the sheet Products, one row per product variant and certificate, save the workbook and upload it.',
      'Columns with an asterisk are required.',
    ],
    columns: {
      variant_name: 'variant_name: the name of the product variant, up to 200 characters.',
      gtin: 'gtin: the number on the package, 8, 12, 13 or 14 digits. The column is text, so that zeros in front are kept.',
      category: 'category: up to 200 characters. A blank cell leaves the category as it is.',
      publishing_channel: 'publishing_channel: Google publishes the variant, which needs the free trial. A blank cell changes nothing.',
      certificate_id: BOTH_NOTE,
      certification_name: BOTH_NOTE,
      certificate_link: 'certificate_link: the certificate’s own page at its issuer, if there is one. It begins with https://.',
      description: GOOGLE_NOTE,
      image_link: GOOGLE_NOTE,
      product_page_url: GOOGLE_NOTE,
    },
    after: [
      'A variant with several certificates has a row for each of them, with the same name and GTIN.',
      'GTINs that you already have are updated. A row that is missing deletes nothing.',
    ],
  },
  quote: (value) => `"${value}"`,
  unfinished: {
    interrupted: 'The server stopped while it was importing this file. Nothing was changed; please upload it again.',
    database_unavailable: 'The database could not be reached. Nothing was changed; please upload the file again.',
    storage_full: 'The server has no storage space left. Nothing was changed; please try again later.',
    internal_error: 'Something went wrong on the server. Nothing was changed; please try again later.',
    brand_inactive: 'The brand was made inactive in the meantime. Nothing was changed; please ask support.',
    nothing_corrected: 'The corrected rows could not be imported: all of them have errors again. Nothing was changed.',
    not_undoable: 'The import had already been taken back, or its time for that was over. Nothing was changed.',
  },
  cancelled: 'The import was cancelled. Nothing was changed.',
  ended: 'The import has already ended, so it cannot be cancelled any more.',
  noSuchImport: 'There is no such import.',
  oneGtinForAll: 'A GTIN is corrected row by row: one number cannot be several products.',
  noRejectedRows: 'This import has no rejected rows.',
  checkDigitHint: (gtin) => `If the other digits are right, the number is ${gtin}. Please compare it with the package.`,
  rejectedRowsDeleted: (keptDays) =>
    `The rejected rows of this import have been deleted: they are kept for ${keptDays} days, and those of a brand's newest imports only.`,
};
