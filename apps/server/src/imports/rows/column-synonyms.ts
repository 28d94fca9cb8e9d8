import type { ColumnName } from '../../catalog/fields/columns.ts';

const words = (text: string) => text.trim().split(/,\s+/);

/**
 * What people call the columns, in the languages of their spreadsheets. Compared without case, accents, spaces and punctuation. The
 * seller's own numbers (Artikelnummer, SKU, Referencia) are not GTINs, so they are not listed.
 */
const SYNONYMS: Readonly<Record<ColumnName, readonly string[]>> = {
  variant_name: words(`
    Name, Variant, Product, Product name, Product title, Product variant, Title, Item, Item name, Artikel, Artikelname,
    Artikelbezeichnung, Bezeichnung, Produkt, Produktname, Produktbezeichnung, Titel, Produkttitel, Variante, Variantenname,
    Nombre, Nombre del producto, Nombre de producto, Nombre producto, Nombre del artículo, Producto, Artículo, Título,
    Denominación, Nombre de la variante, Nom, Nom du produit, Nom produit, Nom de l'article, Produit, Article, Désignation,
    Libellé, Titre, Nome, Nome prodotto, Nome del prodotto, Prodotto, Articolo, Titolo, Denominazione, Nome do produto, Nome
    produto, Produto, Artigo, Designação, Naam, Productnaam, Artikelnaam, Namn, Produktnamn, Artikelnamn, Benämning, Navn,
    Produktnavn, Varenavn, Nazwa, Nazwa produktu
  `),
  gtin: words(`
    GTIN-8, GTIN-12, GTIN-13, GTIN-14, GTIN code, GTIN number, Global Trade Item Number, EAN, EAN-8, EAN-13, EAN code, EAN
    number, European Article Number, EAN/GTIN, GTIN/EAN, EAN/UPC, UPC, UPC-A, UPC code, UPC/EAN, GTIN/UPC, JAN, Barcode, Bar
    code, Barcode number, EAN-Nummer, EAN-Nr, GTIN-Nummer, Strichcode, Strichkode, Código de barras, Codigo EAN, Código
    GTIN, Code-barres, Code barre, Code EAN, Gencod, Codice a barre, Codice EAN, Streepjescode, EAN-code, Streckkod,
    EAN-kod, Stregkode, Strekkode, Kod EAN, Kod kreskowy
  `),
  category: words(`
    Product category, Product type, Product group, Item category, Department, Kategorie, Produktkategorie, Produktgruppe,
    Warengruppe, Artikelgruppe, Produkttyp, Categoría, Categoría de producto, Tipo de producto, Familia, Catégorie,
    Catégorie de produit, Famille, Categoria, Categoria prodotto, Categoria do produto, Categorie, Productgroep, Kategori,
    Kategoria
  `),
  publishing_channel: words(`
    Channel, Sales channel, Kanal, Vertriebskanal, Verkaufskanal, Canal, Canal de publicación, Canal de venta, Canal de
    publication, Canal de vente, Canale, Canale di vendita, Kanaal, Kanał
  `),
  description: words(`
    Product description, Item description, Long description, Details, Beschreibung, Artikelbeschreibung,
    Produktbeschreibung, Langtext, Descripción, Descripción del producto, Description du produit, Descrizione, Descrizione
    prodotto, Descrição, Descrição do produto, Beschrijving, Productbeschrijving, Omschrijving, Artikelomschrijving,
    Beskrivning, Beskrivelse, Opis
  `),
  image_link: words(`
    Image, Image URL, Picture, Picture URL, Main image, Bild, Bild-URL, Produktbild, Imagen, URL de la imagen, Enlace de
    imagen, URL de l'image, Lien de l'image, Immagine, URL immagine, Imagem, URL da imagem, Afbeelding, Afbeelding URL,
    Bildadress, Billede, Zdjęcie
  `),
  product_page_url: words(`
    Link, URL, Product page, Product URL, Product link, Produktseite, Produkt-URL, Produktlink, Página del producto, URL del
    producto, Enlace, Page produit, URL du produit, Lien, Pagina prodotto, URL prodotto, Página do produto, Productpagina,
    Produktsida, Produktside
  `),
  certificate_link: words(`
    Certificate URL, Certificate page, Link to certificate, Zertifikat-Link, Zertifikatslink, Zertifikat-URL, Link zum
    Zertifikat, Enlace del certificado, Enlace al certificado, URL del certificado, Lien du certificat, Lien vers le
    certificat, URL du certificat, Link certificato, Link al certificato, Link do certificado, Certificaatlink,
    Certifikatlänk, Certifikatlink, Link do certyfikatu
  `),
  certificate_id: words(`
    Certificate number, Certificate no, Certificate nr, Certificate code, Certification number, Cert no, Cert ID, License
    number, Licence number, License code, Licence code, Zertifikatsnummer, Zertifikatnummer, Zertifikat-Nr, Zertifikats-Nr,
    Zertifikats-ID, Zertifikat-ID, Lizenznummer, Número de certificado, Nº de certificado, N.º certificado, ID de
    certificado, ID certificado, Número de licencia, Nº de licencia, N.º licencia, Código de licencia, Código de
    certificado, Numéro de certificat, N° de certificat, Numéro certificat, ID certificat, Numero certificato, Numero di
    certificato, Número do certificado, Certificaatnummer, Certifikatnummer, Certifikatsnummer, Numer certyfikatu, Cert nr,
    Cert number, Certificate reference, Lizenz-Nr, Lizenz-ID, Zert-Nr, Zert-Nummer, Zert-ID, N.º cert, Núm. certificado,
    Código certificado, Num certificat, Licencia n.º
  `),
  certification_name: words(`
    Certification, Certifications, Certificate, Certificate name, Certified, Label, Eco-label, Ecolabel, Standard,
    Zertifikat, Zertifikate, Zertifizierung, Siegel, Gütesiegel, Umweltsiegel, Certificación, Certificaciones, Certificado,
    Nombre de la certificación, Sello, Etiqueta ecológica, Certificat, Nom de la certification, Écolabel, Certificazione,
    Certificato, Certificação, Certificering, Certificaat, Keurmerk, Certifiering, Certifikat, Certificeringsmærke,
    Certyfikat
  `),
};

const MAX_COLUMN_NAME_LENGTH = 60;

const FIELDS_BY_KEY = new Map(
  Object.entries(SYNONYMS).flatMap(([field, names]) => names.map((name) => [keyOf(name), field as ColumnName])),
);

/** Synonyms of certification_name that some files use for the id of the certificate. */
const AMBIGUOUS = new Set(
  ['Certificate', 'Zertifikat', 'Certificado', 'Certificat', 'Certificato', 'Certificaat', 'Certifikat', 'Certyfikat'].map(keyOf),
);

/** The column that a synonym means. */
export function fieldOfSynonym(cell: string): ColumnName | undefined {
  const name = cell.trim();
  // Longer text is never a synonym, and normalising takes quadratic time on a hostile cell.
  return name.length > MAX_COLUMN_NAME_LENGTH ? undefined : FIELDS_BY_KEY.get(keyOf(name));
}

/** Whether a synonym of certification_name may mean certificate_id as well. */
export function mayMeanCertificateId(cell: string): boolean {
  return fieldOfSynonym(cell) === 'certification_name' && AMBIGUOUS.has(keyOf(cell.trim()));
}

function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
