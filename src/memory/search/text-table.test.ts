import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openDatabase } from "../storage/database.ts";
import { openTextTable, type RowForm, type TextRow, type TextTable, textTableSchema } from "./text-table.ts";

const clock = (): number => Date.UTC(2026, 10, 18, 12);

function openSampleTable(rows: readonly Partial<TextRow>[] = [], form: RowForm = "plain"): TextTable {
  const database = openDatabase(":memory:", "write");
  database.script(textTableSchema("words", form));
  const table = openTextTable(database, { name: "words", form, clock });
  database.transaction("unforced", () => {
    for (const [at, row] of rows.entries()) table.put(sampleRow({ number: at + 1, ...row }));
  });
  return table;
}

function sampleRow(changes: Partial<TextRow>): TextRow {
  const empty = {
    title: "",
    text: "",
    tags: "",
    properties: "",
    days: "",
    author: "",
    group: "",
    position: null,
  };
  return { number: 1, ...empty, ...changes };
}

const texts = (...all: readonly string[]): readonly Partial<TextRow>[] => all.map((text) => ({ text }));

async function found(table: TextTable, query: string): Promise<readonly number[]> {
  return (await table.search(query, 10)).map(({ number }) => number);
}

test("a word is found in its other forms, without accents and in any case", async () => {
  const table = openSampleTable(texts("She went running", "Crème brûlée", "nothing of it"));
  assert.deepEqual(await found(table, "who runs?"), [1]);
  assert.deepEqual(await found(table, "to go"), [1]);
  assert.deepEqual(await found(table, "CREME BRULEE"), [2]);
});

test("a word is found in its other forms in German, Dutch, French, Spanish, Italian and Portuguese", async () => {
  const noise = ["The meeting was moved", "Das Protokoll liegt im Ordner", "Le dossier reste ouvert"];
  for (const [text, question] of [
    ["Ils déménageront en mai", "quand est-ce qu'ils vont déménager ?"],
    ["Elle appelait sa tante", "qui est-ce que nous devons appeler ?"],
    ["Compramos una lavadora", "¿qué tenemos que comprar?"],
    ["Los niños nadaban", "¿quién va a nadar con ellos?"],
    ["Telefonammo al dentista", "a chi devo telefonare?"],
    ["Le prenotazioni sono fatte", "che cosa si deve prenotare?"],
    ["Viajaram para o norte", "quando é que eles vão viajar?"],
    ["Die Verträge wurden gekündigt", "wo ist der Vertrag?"],
    ["De afspraken staan vast", "wanneer is de afspraak?"],
    ["Las facturas del agua", "factura"],
    ["Compramos una lavadora", "comprar"],
  ] as const)
    assert.equal(
      (await found(openSampleTable(texts(...noise, text)), question))[0],
      noise.length + 1,
      question,
    );
});

test("an English question is not taken for another language by a word that both have", async () => {
  const table = openSampleTable(texts("come to the fare office", "the era of doves", "nothing of it"));
  assert.deepEqual(await found(table, "fare office come"), [1]);
  assert.deepEqual(await found(table, "dove era"), [2]);
});

test("the function words of a question match nothing", async () => {
  const table = openSampleTable(texts("what is it that you do"));
  for (const query of ["what did you do?", "", "?!", '""', "AND", "*", "NEAR("]) {
    assert.deepEqual(await found(table, query), [], query);
  }
});

test("the days that a question names are found in any notation, and in the text beside the row", async () => {
  const table = openSampleTable([
    { text: "lunch", days: "<2026-11-12 Thu>" },
    { text: "lunch with Oskar on 2026-03-21" },
    { text: "lunch", properties: "2026-11-17 Tuesday" },
    { text: "lunch", days: "diary/20251224T180000--eve.org" },
    { text: "Mittagessen am 9.11.2026" },
  ]);
  assert.equal((await found(table, "lunch last week"))[0], 1);
  assert.equal((await found(table, "wat deed ik vorige week"))[0], 1);
  assert.equal((await found(table, "in March"))[0], 2);
  assert.deepEqual(await found(table, "Montag letzte Woche"), [5]);
  assert.deepEqual(await found(table, "what was yesterday?"), [3]);
  assert.deepEqual(await found(table, "2025-12-24"), [4]);
});

test("compounds of German and Dutch and their parts find each other", async () => {
  const rows = texts(
    "Das Heizungsventil klemmt",
    "Ventil der Spülmaschine",
    "Heizung im Bad",
    "de slang van de wasmachine",
    "de tuinslang",
  );
  const table = openSampleTable(rows);
  assert.equal((await found(table, "Ventil der Heizung"))[0], 1);
  assert.equal((await found(table, "Spülmaschinenventil"))[0], 2);
  assert.equal((await found(table, "Spuelmaschinenventile"))[0], 2);
  assert.equal((await found(table, "wasmachineslang"))[0], 4);
  assert.equal((await found(table, "slang van de tuin"))[0], 5);
  assert.equal((await found(openSampleTable(texts("new greenhouse", "a house")), "green house"))[0], 1);
});

test("the forms of German and Dutch words find each other", async () => {
  const table = openSampleTable(
    texts("Rechnungen sortieren", "Reifen tauschen", "het hek schilderen", "nothing"),
  );
  assert.equal((await found(table, "wo ist die Rechnung"))[0], 1);
  assert.equal((await found(table, "wann habe ich die Reifen getauscht"))[0], 2);
  assert.equal((await found(table, "heb ik het al geschilderd"))[0], 3);
});

test("a word that stands in no row is found as the one that is spelt almost like it", async () => {
  const table = openSampleTable(texts("Dr. Achterberg", "Leila Haddad", "Okonkwo", "plain words"));
  assert.equal((await found(table, "dr achtenberg"))[0], 1);
  assert.equal((await found(table, "Hadad"))[0], 2);
  assert.equal((await found(table, "Okonkow"))[0], 3);
  assert.equal((await found(table, "Oknokow"))[0], undefined, "two errors in a short word");
  assert.deepEqual(
    (await found(table, "plane"))[0],
    undefined,
    "a common word that is in no row may not stand for another",
  );
});

test("common synonyms are found, behind the word itself", async () => {
  const table = openSampleTable(
    texts("the doctor was late", "my physician called", "Arzt angerufen", "nothing"),
  );
  assert.deepEqual((await found(table, "physician"))[0], 2);
  assert.deepEqual((await found(table, "physician")).toSorted(), [1, 2, 3]);
});

test("a single character of a script without spaces is found wherever it stands", async () => {
  const table = openSampleTable(texts("白い猫", "猫の餌", "犬", "生姜と白菜", "Garten"));
  assert.deepEqual((await found(table, "猫")).toSorted(), [1, 2]);
  assert.deepEqual(await found(table, "姜"), [4]);
  assert.deepEqual(await found(table, "犬"), [3]);
});

test("relevance is how much of a question a row has", async () => {
  const table = openSampleTable(texts("Anna Lindqvist", "call the plumber", "nothing"));
  const relevance = async (query: string): Promise<readonly number[]> =>
    (await table.search(query, 10)).map((hit) => Math.round(10 * hit.relevance) / 10);
  assert.deepEqual(await relevance("Anna Lindqvist"), [1]);
  assert.deepEqual(await relevance("Anna plumber"), [0.5, 0.5]);
  assert.deepEqual(await relevance("thanks"), []);
});

test("a rare word counts more than a common one, and a title more than a text", async () => {
  const table = openSampleTable([
    ...texts("garden party", "garden fence", "garden hose", "kiln garden"),
    { title: "Kiln", text: "of clay" },
  ]);
  assert.deepEqual((await found(table, "garden kiln")).slice(0, 2).toSorted(), [4, 5]);
  assert.equal((await found(table, "kiln"))[0], 5);
});

test("identifiers are found whole and by their parts, joined and apart", async () => {
  const table = openSampleTable(
    texts(
      "call parseOrgFile twice",
      "the read-file tool",
      "src/memory/state/open-state.ts",
      "my email",
      "file",
    ),
  );
  assert.equal((await found(table, "parseOrgFile"))[0], 1);
  assert.equal((await found(table, "org file"))[0], 1);
  assert.equal((await found(table, "parseorgfile"))[0], 1);
  assert.equal((await found(table, "read-file"))[0], 2);
  assert.equal((await found(table, "readFile"))[0], 2);
  assert.equal((await found(table, "src/memory/state/open-state.ts"))[0], 3);
  assert.equal((await found(table, "e-mail"))[0], 4);
});

test("scripts without spaces are found by parts of a run", async () => {
  const table = openSampleTable(
    texts("東京都の天気は晴れです", "京都へ行く", "สวัสดีครับ", "Привет, мир", "한국어 문서"),
  );
  assert.equal((await found(table, "天気"))[0], 1);
  assert.deepEqual((await found(table, "京都へ"))[0], 2);
  assert.equal((await found(table, "สวัสดี"))[0], 3);
  assert.equal((await found(table, "мир"))[0], 4);
  assert.equal((await found(table, "한국어"))[0], 5);
});

test("quoted words must occur as they are written", async () => {
  const table = openSampleTable(texts("red wine and white bread", "white wine", "wine that is white"));
  assert.deepEqual(await found(table, '"white wine"'), [2]);
  assert.deepEqual(await found(table, 'bread "white bread"'), [1]);
  assert.deepEqual(await found(table, '"white cheese"'), []);
});

test("a day is found in every notation", async () => {
  const table = openSampleTable(texts("<2023-05-08 Mon> dentist", "dentist on 9 May 2023", "dentist in May"));
  assert.equal((await found(table, "dentist on May 8, 2023"))[0], 1);
  assert.equal((await found(table, "dentist 8th of May 2023"))[0], 1);
  assert.equal((await found(table, "dentist 2023-05-09"))[0], 2);
});

test("neighbouring messages count, within the same conversation only", async () => {
  const conversation = ["Do you still have the kayak?", "Sold it last week.", "Good."];
  const rows = conversation.map((text, at) => ({ text, group: "a", position: at + 1 }));
  const table = openSampleTable([...rows, { text: "Sold my car.", group: "b", position: 2 }]);
  assert.equal((await found(table, "kayak sold"))[0], 2);
  assert.ok(!(await found(table, "kayak")).includes(4));
});

test("a question that names a person prefers that person's messages", async () => {
  const table = openSampleTable([
    { text: "I bought a boat", author: "Caroline" },
    { text: "I bought a boat", author: "Melanie" },
    { text: "I bought a boat", author: "Caroline" },
  ]);
  assert.equal((await found(table, "What did Melanie buy?"))[0], 2);
  assert.equal((await found(table, "What did Mel buy?"))[0], 2);
  assert.deepEqual(await found(table, "Melanie"), [2]);
});

test("among equal rows the newer one comes first, and the limit is kept", async () => {
  const table = openSampleTable(texts("same words", "same words", "same words"));
  assert.deepEqual(await found(table, "same words"), [3, 2, 1]);
  assert.equal((await table.search("same", 2)).length, 2);
  assert.equal((await table.search("same", 0)).length, 0);
});

test("a replaced row is found by its new words only, and a removed row not at all", async () => {
  const table = openSampleTable(texts("apple", "apple pie"));
  table.put(sampleRow({ number: 1, text: "pear" }));
  assert.deepEqual(await found(table, "apple"), [2]);
  assert.deepEqual(await found(table, "pear"), [1]);
  table.remove(2);
  table.remove(7);
  assert.deepEqual(await found(table, "apple"), []);
});

test("a common word is found beside a rare one", async () => {
  const many = Array.from({ length: 4000 }, (_, at) => ({
    text: `common stone ${at % 7 === 0 ? "blue" : "red"}`,
  }));
  const table = openSampleTable([{ title: "Common stone" }, ...many, { text: "common pebble" }]);
  assert.equal((await found(table, "common pebble"))[0], 4002);
  assert.equal((await found(table, "common stone")).length, 10);
  assert.equal((await found(table, "common stone"))[0], 1);
  assert.deepEqual(await found(table, '"common pebble"'), [4002]);
  assert.equal((await found(table, '"common stone"')).length, 10);
  assert.equal((await found(table, "stone")).length, 10);
});

test("common words that occur together only in a title are found before newer rows with them in their text", async () => {
  const common = Array.from({ length: 900 }, () => ({
    text: "they paint the house and then the garden again",
  }));
  const table = openSampleTable([{ title: "Paint the house again" }, ...common]);
  assert.deepEqual((await found(table, "paint house again"))[0], 1);
});

test("any text can be added and searched for, and a row is found by its longest word", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.string({ unit: "binary", maxLength: 60 }),
      async (one, other) => {
        const table = openSampleTable(texts(one, other, `${one} zebra`));
        for (const query of [one, other, `"${one}"`]) await table.search(query, 5);
        assert.ok((await found(table, `${one} zebra`)).includes(3));
      },
    ),
    { numRuns: 30 },
  );
});

test("a question of any length is cut, and does not slow the search", async () => {
  const table = openSampleTable(texts("the boiler is cold", "the garden"));
  for (const tail of [
    "é".repeat(1_000_000),
    "b".repeat(1_000_000),
    "aB".repeat(500_000),
    "word ".repeat(200_000),
  ]) {
    assert.deepEqual(await found(table, `boiler ${tail}`), [1]);
  }
});
