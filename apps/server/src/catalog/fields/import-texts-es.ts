import { shorten } from './columns.ts';
import { anyOf, count, type ImportTexts, isTime } from './import-texts.ts';

const cellsAndColumns = (cells: number, columns: number) =>
  `${count('es', cells, { one: '1 celda', other: `${cells} celdas` })}, pero hay ${count('es', columns, { one: '1 columna', other: `${columns} columnas` })}`;

const asRead = (number: string | undefined) => (number === undefined ? '' : `Con ${number.length} dígitos, este número es ${number}. `);

const BOTH_NOTE = 'certificate_id y certification_name: los dos o ninguno. Elige la certificación en la lista de la celda.';
const GOOGLE_NOTE =
  'description, image_link y product_page_url: lo que Google muestra del producto. Las direcciones empiezan por https://. Una celda vacía no cambia nada.';

export const es: ImportTexts = {
  problems: {
    missing_value: 'Este valor es obligatorio.',
    too_long: ({ limit, length }) => `Demasiado largo: ${length} caracteres; se permiten ${limit} como máximo.`,
    control_characters: 'Contiene un salto de línea u otro carácter de control invisible. Elimínalo.',
    damaged_characters: 'Contiene caracteres que se dañaron antes de subir el archivo (�). Escríbelos de nuevo.',
    lost_letters: ({ value, stored }) =>
      stored
        ? `«${value}» tiene signos de interrogación donde el nombre actual del producto, «${stored}», tiene letras. Escribe el nombre de nuevo y guarda el archivo como CSV UTF-8.`
        : `«${value}» tiene signos de interrogación en lugar de letras: un programa no pudo guardarlas. Escríbelo de nuevo y guarda el archivo como CSV UTF-8.`,
    double_encoded: ({ value, repaired }) =>
      `«${value}» tiene letras ilegibles: el archivo se abrió antes con una codificación incorrecta. Probablemente era «${repaired}».`,
    spreadsheet_error: ({ value }) =>
      value.startsWith('##')
        ? `«${value}» es lo que muestra una hoja de cálculo cuando una columna es demasiado estrecha. Ensánchala y guarda el archivo de nuevo.`
        : `«${value}» es el error de una fórmula de tu hoja de cálculo. Corrige la fórmula o escribe el valor.`,
    cell_date: ({ value }) =>
      `Es una ${isTime(value) ? 'hora' : 'fecha'} (${value}), no texto. Las hojas de cálculo suelen convertir en ${isTime(value) ? 'hora' : 'fecha'} lo que se escribe. Escribe el valor original; en una hoja de cálculo, da antes formato de texto a la columna.`,
    cell_lost_digits: ({ value }) =>
      `El número ${value} tiene más de 15 dígitos y las hojas de cálculo no conservan más: los últimos se perdieron. Da formato de texto a la columna y escríbelo de nuevo.`,
    cell_not_calculated: () =>
      'La fórmula de esta celda nunca se calculó. Abre el libro en tu hoja de cálculo, guárdalo y súbelo de nuevo, o escribe el valor.',
    gtin_characters: 'Un GTIN solo tiene dígitos. Escribe el número del envase.',
    gtin_length: ({ digits }) => `Un GTIN tiene 8, 12, 13 o 14 dígitos, pero este tiene ${digits}. Escribe el número del envase.`,
    gtin_check_digit: ({ expected, found }) =>
      `El dígito de control (el último) debería ser ${expected}, pero es ${found}. Compara el número con el envase.`,
    gtin_scientific: ({ value }) =>
      `Una hoja de cálculo abrevió el número a ${value} y sus dígitos se perdieron. Da formato de texto a la columna y escribe el GTIN de nuevo.`,
    gtin_lost_zero:
      'El número tiene 11 dígitos. Las hojas de cálculo quitan el cero inicial, pero con un cero delante el dígito de control no coincide. Da formato de texto a la columna y escribe el GTIN de nuevo.',
    gtin_zeros: 'Un GTIN no puede tener solo ceros.',
    gtin_restricted: ({ prefix, number }) =>
      `${asRead(number)}Los números que empiezan por ${prefix} son de uso interno en una tienda o empresa y no identifican un producto. Usa el GTIN que asignó GS1.`,
    gtin_coupon: ({ prefix, number }) =>
      `${asRead(number)}Los números que empiezan por ${prefix} son para cupones y reembolsos y no identifican un producto.`,
    unknown_certification: ({ name, suggestion }) =>
      `La certificación «${name}» no está admitida.${suggestion ? ` ¿Querías decir «${suggestion}»?` : ' Las admitidas aparecen al subir un archivo, en «Certificaciones admitidas».'}`,
    ambiguous_certification: ({ name, choices }) =>
      `«${name}» puede significar ${anyOf(
        'es',
        choices.map((choice) => `«${choice.name}» (${choice.body})`),
      )}. Escribe el nombre de la que figura en el certificado.`,
    several_certifications: ({ name, names }) =>
      `«${name}» nombra varias certificaciones (${names}). Cada fila admite una: pon cada certificación en su propia fila, con su ID de certificado.`,
    certificate_id_scientific: ({ value }) =>
      `${value} es como una hoja de cálculo escribe un número, no el identificador. Escribe el identificador tal como figura en el certificado; en una hoja de cálculo, da antes formato de texto a la columna.`,
    certificate_id_boolean: ({ value }) =>
      `${value} es como una hoja de cálculo escribe sí o no, no un identificador de certificado. Escribe el identificador; si no hay certificado, deja vacíos certificate_id y certification_name.`,
    certificate_id_missing: 'Un nombre de certificación necesita un identificador de certificado. Completa certificate_id.',
    certification_name_missing: 'Un identificador de certificado necesita un nombre de certificación. Completa certification_name.',
    contradicting_names: ({ row, stored }) =>
      stored === undefined
        ? `La fila ${row} da otro nombre al mismo GTIN. Conserva el correcto.`
        : `El producto con este GTIN ya está importado y su nombre es «${stored}». Usa ese nombre o edita el producto.`,
    contradicting_categories: ({ row, stored }) =>
      stored === undefined
        ? `La fila ${row} da otra categoría al mismo GTIN. Conserva la correcta.`
        : `El producto con este GTIN ya está importado y su categoría es «${stored}». Usa esa categoría o edita el producto.`,
    contradicting_details: ({ row, stored }) =>
      stored === undefined
        ? `La fila ${row} da otra descripción, imagen o página al mismo GTIN. Conserva la correcta.`
        : `El producto con este GTIN ya está importado y aquí tiene «${shorten(stored)}». Usa ese valor o edita el producto.`,
    certificate_link_alone: 'Un enlace pertenece a un certificado. Rellena certification_name y certificate_id.',
    not_a_web_address: 'No es una dirección web válida. Debe empezar por https:// y no contener contraseñas.',
    contradicting_rows: ({ row }) =>
      `La fila ${row} da al mismo GTIN otro identificador de certificado para la misma certificación. Conserva el correcto.`,
    stray_quote: ({ lines }) =>
      `Una comilla (") que se abre en esta fila incluye en su celda ${count('es', lines, { one: 'la línea siguiente', other: `las ${lines} líneas siguientes` })}, que no se leyeron como filas. Ciérrala o elimínala.`,
    too_many_cells: ({ cells, columns }) =>
      `La fila tiene ${cellsAndColumns(cells, columns)}. Da un nombre a cada columna o vacía las celdas sobrantes; en un CSV, pon entre comillas el texto que contenga el separador.`,
    too_few_cells: ({ cells, columns }) => `La fila tiene ${cellsAndColumns(cells, columns)}, y faltan obligatorias. Complétalas.`,
  },
  problemTitles: {
    missing_value: 'Falta un valor',
    too_long: 'Texto demasiado largo',
    control_characters: 'Salto de línea o carácter de control',
    damaged_characters: 'Caracteres dañados',
    lost_letters: 'Signos de interrogación en lugar de letras',
    double_encoded: 'Letras ilegibles',
    spreadsheet_error: 'Error de la hoja de cálculo',
    cell_date: 'Fecha en lugar de texto',
    cell_lost_digits: 'Cifras perdidas por una hoja de cálculo',
    cell_not_calculated: 'Fórmula sin resultado',
    gtin_characters: 'GTIN con caracteres que no son dígitos',
    gtin_length: 'Número de dígitos incorrecto',
    gtin_check_digit: 'Dígito de control incorrecto',
    gtin_scientific: 'GTIN abreviado por una hoja de cálculo',
    gtin_lost_zero: 'GTIN sin su cero inicial',
    gtin_zeros: 'GTIN solo con ceros',
    gtin_restricted: 'GTIN de uso interno',
    gtin_coupon: 'Número de un cupón',
    unknown_certification: 'Certificación desconocida',
    ambiguous_certification: 'Certificación ambigua',
    several_certifications: 'Varias certificaciones en una fila',
    certificate_id_scientific: 'Número en lugar de un ID de certificado',
    certificate_id_boolean: 'VERDADERO o FALSO en lugar de un ID de certificado',
    certificate_id_missing: 'Falta el ID del certificado',
    certification_name_missing: 'Falta el nombre de la certificación',
    contradicting_names: 'Nombres distintos para un GTIN',
    contradicting_categories: 'Categorías distintas para un GTIN',
    contradicting_details: 'Datos distintos para un GTIN',
    certificate_link_alone: 'Enlace sin certificado',
    not_a_web_address: 'Dirección web no válida',
    contradicting_rows: 'ID de certificado distintos para un GTIN',
    stray_quote: 'Comilla sin cerrar',
    too_many_cells: 'Demasiadas celdas',
    too_few_cells: 'Faltan celdas',
  },
  warnings: {
    legacy_encoding: ({ encoding, sample }) =>
      `El archivo no es UTF-8. Se leyó como ${encoding}: «${sample}». Si no se ve bien, guárdalo como CSV UTF-8 y súbelo de nuevo.`,
    mixed_encodings: ({ encoding, sample, lines }) =>
      `${count('es', lines, { one: '1 línea no es', other: `${lines} líneas no son` })} UTF-8 como el resto del archivo y se leyeron como ${encoding}: «${sample}». Si no se ve bien, guarda el archivo como CSV UTF-8 y súbelo de nuevo.`,
    chosen_sheet: ({ sheet }) => `Las filas son las de la hoja «${sheet}».`,
    header_row: ({ row }) => `La fila ${row} se tomó como encabezado; lo que está encima se ignora.`,
    two_header_rows: ({ first, second }) => `Las filas ${first} y ${second} se tomaron juntas como encabezado.`,
    repeated_header: ({ rows, count: number }) =>
      count('es', number, {
        one: `La fila ${rows} repite los nombres de las columnas y se omitió.`,
        other: `Las filas ${rows} repiten los nombres de las columnas y se omitieron.`,
      }),
    chosen_columns: ({ columns }) => `Columnas como las elegiste: ${columns}.`,
    remembered_columns: ({ columns }) => `Columnas como se eligieron para un archivo anterior: ${columns}.`,
    ignored_columns: ({ columns }) => `Las columnas desconocidas se ignoran: ${columns}.`,
    formulas: ({ cells }) =>
      cells === 1
        ? '1 celda tiene una fórmula; se importa con el valor que tenía cuando se guardó el libro.'
        : `${cells.toLocaleString('es')} celdas tienen fórmulas; se importan con los valores que tenían cuando se guardó el libro.`,
    hidden_rows: ({ rows }) =>
      rows === 1
        ? '1 fila está oculta en el libro, quizá por un filtro, y también se importa.'
        : `${rows.toLocaleString('es')} filas están ocultas en el libro, quizá por un filtro, y también se importan.`,
    merged_cells: ({ range, others }) =>
      `Celdas combinadas (${range}${others > 0 ? ` y ${others.toLocaleString('es')} más` : ''}): Excel guarda el valor solo en la primera fila, así que las demás no lo tienen. Separa las celdas y rellena todas las filas.`,
    unknown_channels: ({ channels }) =>
      `Estos canales no se ofrecen, así que sus filas se importan sin publicarse: ${channels}. El único canal es Google.`,
    spreadsheet_names: ({ count: names, row, name }) =>
      names === 1
        ? `1 nombre parece lo que una hoja de cálculo hace de una entrada, una fecha o VERDADERO/FALSO: fila ${row} «${name}». Si no es el nombre, corrígelo.`
        : `${names.toLocaleString('es')} nombres parecen lo que una hoja de cálculo hace de una entrada, una fecha o VERDADERO/FALSO: fila ${row} «${name}» y otras. Si no es el nombre, corrígelo.`,
    spreadsheet_categories: ({ count: categories, row, category }) =>
      categories === 1
        ? `1 categoría parece lo que una hoja de cálculo hace de una entrada, una fecha o VERDADERO/FALSO: fila ${row} «${category}». Si no es la categoría, corrígela.`
        : `${categories.toLocaleString('es')} categorías parecen lo que una hoja de cálculo hace de una entrada, una fecha o VERDADERO/FALSO: fila ${row} «${category}» y otras. Si no es la categoría, corrígela.`,
    nameless_columns: ({ columns, count: number, row, value }) =>
      number === 1
        ? `Una columna sin nombre se ignora: ${columns}. La primera de sus celdas está en la fila ${row}: «${value}». Si es parte de la tabla, ponle un nombre y sube el archivo de nuevo.`
        : `Las columnas sin nombre se ignoran: ${columns}. La primera de sus celdas está en la fila ${row}: «${value}». Si son parte de la tabla, ponles un nombre y sube el archivo de nuevo.`,
    many_renamed: ({ renamed, known }) =>
      `Productos que ya tienes y que cambiarían de nombre: ${renamed.toLocaleString('es')} de ${known.toLocaleString('es')}. Comprueba que los nombres nuevos son correctos.`,
    ignored_edits: ({
      removed_certificates: removed = 0,
      published = 0,
      certificate_status: statuses = 0,
      certificate_expires_on: days = 0,
      ...emptied
    }) => {
      const products = (number: number) => `${number.toLocaleString('es')} ${number === 1 ? 'producto' : 'productos'}`;
      const certificates = (number: number) => `${number.toLocaleString('es')} ${number === 1 ? 'certificado' : 'certificados'}`;
      const edits = [
        ...(published ? [`published (${products(published)})`] : []),
        ...(statuses ? [`certificate_status (${certificates(statuses)})`] : []),
        ...(days ? [`certificate_expires_on (${certificates(days)})`] : []),
        ...Object.entries(emptied).map(
          ([column, number]) => `${column} en blanco (${column === 'certificate_link' ? certificates(number) : products(number)})`,
        ),
        ...(removed ? [`certificados quitados (${removed.toLocaleString('es')})`] : []),
      ];
      return `El archivo difiere de tus datos en partes que una importación no cambia: ${edits.join(', ')}. Haz estos cambios en el portal.`;
    },
    mistyped_certificates: ({ ids }) => `ID de certificado probablemente mal escritos, con los más probables: ${ids}.`,
    malformed_certificates: ({ ids, count: number }) =>
      number === 1
        ? `Un ID de certificado no tiene el formato de su certificación: ${ids}. Un certificado así no es válido. Comprueba si está mal escrito.`
        : `${number.toLocaleString('es')} ID de certificado no tienen el formato de su certificación: ${ids}. Esos certificados no son válidos. Comprueba si están mal escritos.`,
    published_rows: ({ variants }) =>
      variants === 1
        ? 'Se publicó 1 variante en Google, como pide la columna publishing_channel.'
        : `Se publicaron ${variants.toLocaleString('es')} variantes en Google, como pide la columna publishing_channel.`,
    further_certificates: ({ variants }) =>
      `${count('es', variants, { one: '1 variante tiene', other: `${variants.toLocaleString('es')} variantes tienen` })} otro certificado de una certificación que ya ${variants === 1 ? 'tenía' : 'tenían'}. Si un identificador anterior estaba mal escrito, elimina ese certificado en la página Certificados.`,
    publishing_needs_trial:
      'La columna publishing_channel nombra Google, pero no se publicó nada: primero inicia la prueba gratuita y luego publica las variantes o vuelve a subir el archivo.',
    publishing_needs_review:
      'La columna publishing_channel nombra Google, pero no se publicó nada: esta marca está pendiente de revisión. Pregunta a soporte y luego publica las variantes o vuelve a subir el archivo.',
  },
  refusals: {
    empty_file: 'Archivo CSV vacío',
    header_only: 'El archivo tiene un encabezado, pero ninguna fila debajo.',
    not_text: 'Esto no es un archivo CSV: contiene datos binarios. Guarda tu tabla como CSV (UTF-8) y sube ese archivo.',
    workbook:
      'Esto es un libro de cálculo o un archivo comprimido, no un CSV. Ábrelo en tu hoja de cálculo, guárdalo como CSV (UTF-8) y sube ese archivo.',
    archive: 'Esto es un archivo comprimido o un documento, no un libro de cálculo. Sube un libro de Excel (.xlsx) o un archivo CSV.',
    image: ({ format }) => `Esto es una imagen ${format}, no un archivo CSV. Sube un archivo CSV o un libro de Excel (.xlsx).`,
    pdf: 'Esto es un documento PDF, no un archivo CSV. Sube un archivo CSV o un libro de Excel (.xlsx).',
    utf32: 'Este archivo está en UTF-32, que las hojas de cálculo no leen. Guárdalo como CSV UTF-8 y sube ese archivo.',
    document: 'Esto es una página web u otro tipo de texto, no una tabla. Sube un libro de Excel (.xlsx) o un archivo CSV.',
    old_workbook:
      'Este libro está en el formato antiguo de Excel (.xls). Ábrelo en tu hoja de cálculo, guárdalo como .xlsx y sube ese archivo.',
    binary_workbook: 'Este es un libro binario de Excel (.xlsb). Ábrelo en Excel, guárdalo como .xlsx y sube ese archivo.',
    encrypted_workbook: 'El libro tiene contraseña. Quítala en Excel, guárdalo y súbelo de nuevo.',
    workbook_macros: 'El libro contiene macros. Guárdalo como .xlsx, que no las tiene, y sube ese archivo.',
    workbook_bomb: 'El libro se descomprime en muchos más datos de los que tiene una tabla. Copia sus filas en un libro nuevo y sube ese.',
    workbook_entities:
      'El libro contiene declaraciones XML (DOCTYPE) que podrían referirse a otros archivos. Guárdalo de nuevo en tu hoja de cálculo y sube ese archivo.',
    broken_workbook: 'El libro está dañado. Ábrelo en tu hoja de cálculo, guárdalo de nuevo y sube ese archivo.',
    opendocument: 'Esta es una hoja de cálculo OpenDocument (.ods). Guárdala como .xlsx o como CSV (UTF-8) y sube ese archivo.',
    empty_workbook: 'El libro está vacío: ninguna de sus hojas tiene texto en las primeras filas.',
    hidden_sheets: ({ names }) =>
      names.length === 1
        ? `La hoja que tiene las columnas obligatorias está oculta: ${names.join(', ')}. Muéstrala en tu hoja de cálculo, guarda el libro y súbelo de nuevo.`
        : `Las hojas que tienen las columnas obligatorias están ocultas: ${names.join(', ')}. Muestra la correcta en tu hoja de cálculo, guarda el libro y súbelo de nuevo.`,
    no_sheet: ({ columns, sheets }) =>
      `Ninguna hoja del libro tiene las columnas obligatorias: ${columns}. Elige la que tiene tus productos: ${sheets.join(', ')}. Si sus columnas tienen otros nombres, se te pregunta cuál es cuál.`,
    several_sheets: ({ sheets }) =>
      `Varias hojas del libro tienen las columnas obligatorias: ${sheets.join(', ')}. Elige una y sube el archivo de nuevo.`,
    missing_columns: ({ columns, found, question }) =>
      `Faltan columnas obligatorias: ${columns}. La fila ${question?.header_row ?? 1} tiene: ${found}. Nombra las columnas como en la plantilla.`,
    one_column: ({ header }) =>
      `Todas las columnas están en una: el encabezado es una sola celda, «${header}». Sepáralas (en Excel: Datos, Texto en columnas), guarda el archivo y súbelo de nuevo.`,
    unmapped_columns: ({ columns }) =>
      `${columns ? `Algunas columnas se llaman de otra manera que en la plantilla: ${columns}. ` : ''}Elige qué columna es cada una y sube el archivo de nuevo.`,
    no_header: ({ row, value }) =>
      `El archivo no tiene fila de encabezado: la fila ${row} parece un producto (${value}). Añade encima una fila con los nombres de las columnas y sube el archivo de nuevo.`,
    no_such_column: ({ column, columns }) =>
      `Se eligió la columna ${column}, pero el encabezado tiene ${count('es', columns, { one: '1 columna', other: `${columns} columnas` })}. Elige de nuevo.`,
    duplicate_column: ({ column }) => `La columna ${column} aparece más de una vez. Conserva una.`,
    too_many_variants: ({ created, used, limit }) =>
      `El archivo tiene ${created.toLocaleString('es')} variantes nuevas. La marca tiene ${used.toLocaleString('es')}, incluidas las eliminadas que aún se pueden restaurar, y puede tener ${limit.toLocaleString('es')}. No se ha importado nada.`,
    too_many_rows: ({ limit }) => `El archivo tiene más de ${limit.toLocaleString('es')} filas. Divídelo.`,
    too_many_columns: ({ row, limit }) =>
      `La fila ${row} tiene más de ${limit.toLocaleString('es')} celdas. Elimina las columnas que no hagan falta o revisa el separador.`,
    row_too_long: ({ row, limit }) =>
      `La fila ${row} ocupa más de ${limit / 1024} KB. Quizá no se cierra nunca una comilla (") que se abre ahí.`,
    too_complex: 'El archivo necesita mucha más memoria que una tabla de su tamaño. Copia sus filas en un archivo nuevo y sube ese.',
    open_quote: ({ row }) => `Una comilla (") que se abre en la fila ${row} no se cierra nunca. Ciérrala o elimínala.`,
  },
  uploads: {
    too_large: (limitMegabytes) => `El archivo ocupa más de ${limitMegabytes} MB. Divídelo.`,
    no_form: 'El archivo debe llegar en el campo «file» de un formulario (multipart/form-data con su «boundary»).',
    no_file: 'El formulario no tiene ningún archivo en el campo «file».',
    two_files: 'El formulario tiene más de un archivo. Sube un archivo cada vez.',
    stalled: 'La subida se detuvo antes de que el archivo estuviera completo. Inténtalo de nuevo.',
    crowded: (whose, count) =>
      `Hay ${count} importaciones ${whose === 'member' ? 'tuyas' : 'de esta marca'} en espera o en curso. Inténtalo de nuevo cuando termine una de ellas.`,
    arriving: 'Se están subiendo demasiados archivos a la vez. Inténtalo de nuevo cuando termine de subirse uno de ellos.',
    no_mapping: 'El campo "mapping" debe decir qué es cada columna: {"0": "variant_name", "1": "gtin"}.',
    field_twice: (field) => `Se eligieron dos columnas para ${field}. Elige una de ellas.`,
    no_room: 'El servidor no tiene espacio para tu archivo. No se ha importado nada; inténtalo más tarde.',
  },
  template: {
    products: 'Productos',
    certifications: 'Certificaciones',
    notes: 'Notas',
    before: [
      'Rellena la hoja Productos, una fila por variante de producto y certificado, guarda el libro y súbelo.',
      'Las columnas con asterisco son obligatorias.',
    ],
    columns: {
      variant_name: 'variant_name: el nombre de la variante de producto, hasta 200 caracteres.',
      gtin: 'gtin: el número del envase, de 8, 12, 13 o 14 dígitos. La columna es de texto para conservar los ceros iniciales.',
      category: 'category: hasta 200 caracteres. Una celda vacía deja la categoría como está.',
      publishing_channel:
        'publishing_channel: Google publica la variante, para lo que hace falta la prueba gratuita. Una celda vacía no cambia nada.',
      certificate_id: BOTH_NOTE,
      certification_name: BOTH_NOTE,
      certificate_link: 'certificate_link: la página del certificado en su emisor, si la hay. Empieza por https://.',
      description: GOOGLE_NOTE,
      image_link: GOOGLE_NOTE,
      product_page_url: GOOGLE_NOTE,
    },
    after: [
      'Una variante con varios certificados tiene una fila para cada uno, con el mismo nombre y GTIN.',
      'Los GTIN que ya tienes se actualizan. Una fila que falta no borra nada.',
    ],
  },
  quote: (value) => `«${value}»`,
  unfinished: {
    interrupted: 'El servidor se detuvo mientras importaba este archivo. No se ha cambiado nada; súbelo de nuevo.',
    database_unavailable: 'No se pudo acceder a la base de datos. No se ha cambiado nada; sube el archivo de nuevo.',
    storage_full: 'El servidor no tiene espacio libre. No se ha cambiado nada; inténtalo más tarde.',
    internal_error: 'Algo ha fallado en el servidor. No se ha cambiado nada; inténtalo más tarde.',
    brand_inactive: 'Entretanto se desactivó la marca. No se ha cambiado nada; contacta con soporte.',
    nothing_corrected: 'No se pudieron importar las filas corregidas: todas vuelven a tener errores. No se cambió nada.',
    not_undoable: 'La importación ya se había deshecho o había pasado el plazo para ello. No se ha cambiado nada.',
  },
  cancelled: 'La importación se ha cancelado. No se ha cambiado nada.',
  ended: 'La importación ya ha terminado, así que no se puede cancelar.',
  noSuchImport: 'Esta importación no existe.',
  oneGtinForAll: 'Un GTIN se corrige fila por fila: un número no puede ser varios productos.',
  noRejectedRows: 'Esta importación no tiene filas rechazadas.',
  checkDigitHint: (gtin) => `Si los demás dígitos son correctos, el número es ${gtin}. Compáralo con el envase.`,
  rejectedRowsDeleted: (keptDays) =>
    `Las filas rechazadas de esta importación se han borrado: se conservan ${keptDays} días, y solo las de las importaciones más recientes de la marca.`,
};
