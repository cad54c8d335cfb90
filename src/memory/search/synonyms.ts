/** Common words of a household, of work, health, travel and food that mean much the same, in English, German and Dutch, in groups between line ends and bars. */
const groups = `
doctor physician gp practitioner arzt hausarzt ärztin huisarts dokter | dentist zahnarzt tandarts | hospital clinic krankenhaus klinik ziekenhuis
pharmacy chemist drugstore apotheke apotheek | medicine medication drug medikament medizin medicijn | pill tablet tablette pil
prescription rezept recept | vaccination vaccine vaccinated jab inoculation impfung geimpft vaccinatie | injury wound verletzung blessure
pain ache hurt schmerz pijn | fever temperature fieber koorts | flu influenza cold grippe erkältung griep
allergy allergic allergie hayfever heuschnupfen hooikoorts | physiotherapist physio physiotherapeut fysio fysiotherapeut
therapist psychologist therapeut psycholoog | vet veterinarian tierarzt dierenarts | glasses spectacles eyeglasses brille bril
optician optometrist optiker opticien | sick ill unwell krank ziek | tired exhausted müde moe | sleep asleep schlaf schlafen slaap slapen
jog jogging run running joggen laufen hardlopen | gym fitness workout fitnessstudio sportschool | weight heavy weigh weighs gewicht schwer zwaar wiegen
apartment flat wohnung appartement | house home haus huis | cottage cabin hut lodge sommerhaus ferienhaus hütte huisje | cellar basement keller kelder
attic loft dachboden zolder | garage carport | garden yard garten tuin | greenhouse glasshouse gewächshaus kas | kitchen küche keuken
bathroom bad badezimmer badkamer | bedroom schlafzimmer slaapkamer | living-room lounge wohnzimmer woonkamer | toilet loo restroom wc
hall hallway corridor flur gang | stairs staircase treppe trap | roof dach dak | gutter gutters dachrinne regenrinne dakgoot | wall wand mauer muur
floor flooring parquet parkett boden fußboden vloer | door tür deur | window fenster raam | fence zaun hek schutting | key schlüssel sleutel
mailbox letterbox postbox briefkasten brievenbus | boiler heater heating furnace heizung cv verwarming | radiator heizkörper
tap faucet wasserhahn kraan | pipe hose tube schlauch rohr slang | leak leaks leaking leaky undicht leck lekt lek
dishwasher spülmaschine geschirrspüler vaatwasser | washing-machine washer waschmaschine wasmachine | fridge refrigerator kühlschrank koelkast
freezer gefrierschrank tiefkühler vriezer | stove oven cooker hob herd ofen fornuis | vacuum hoover staubsauger stofzuiger | lamp light lampe licht
power electricity current strom elektriciteit | outage cut blackout failure failed stromausfall ausfall storing stroomstoring
socket outlet steckdose stopcontact | electrician elektriker elektricien | plumber klempner installateur loodgieter
carpenter joiner schreiner tischler timmerman | painter maler schilder | paint painted painting streichen farbe anstrich verf schilderen beits
colour color shade farbe kleur | repair repaired fix fixed mend mended reparatur reparieren repariert reparatie repareren gerepareerd
broken break defect defective kaputt defekt kapot stuk | replace replaced change changed exchange swap tauschen ersetzen austauschen vervangen
clean cleaned cleaning wash putzen reinigen gereinigt säubern schoonmaken | tidy declutter aufräumen opruimen | build built building bauen gebaut bouwen
smoke-detector fire-alarm rauchmelder rookmelder | smoke fire rauch feuer rook brand | detector alarm sensor melder
mouse mice rat pest vermin maus mäuse muis muizen | tool tools werkzeug gereedschap | ladder leiter | furniture möbel meubels
desk table tisch schreibtisch tafel bureau | chair stuhl stoel | bed bett | shelf bookshelf rack regal plank | curtain curtains blind vorhang gordijn
rent lease rental miete huur | hire rental rent mieten huren | lease contract agreement vertrag mietvertrag overeenkomst
landlord landlady vermieter verhuurder | tenant renter mieter huurder | neighbour neighbor nachbar nachbarin buurman buurvrouw buren
solar photovoltaic photovoltaics pv balkonkraftwerk zonnepanelen | panel module modul paneel | wifi wlan wireless internet router
password passcode passphrase passwort kennwort wachtwoord | login signin logon sign-in anmelden anmeldung inloggen | sign signing login log
bug error fault defect issue problem fehler fout | app application anwendung applicatie | computer pc laptop rechner | server nas
disk drive hdd ssd harddisk festplatte schijf | backup backups sicherung reservekopie | printer drucker
phone telephone mobile cell cellphone smartphone telefon handy telefoon mobiel | call ring phone anrufen telefonieren bellen | mail email e-mail address
letter brief | message text nachricht bericht | picture photo image photograph bild foto | album photobook fotobuch fotoalbum | book books buch boek
car automobile auto wagen | bike bicycle cycle fahrrad rad fiets | train rail railway zug bahn trein | sleeper couchette nachtzug nachttrein
tram streetcar straßenbahn | bus coach | plane flight airplane aeroplane flug flugzeug vlucht vliegtuig
ferry boat ship fähre boot schiff veerboot schip | airport flughafen vliegveld luchthaven | station bahnhof | ticket fare fahrkarte kaartje
seat seats place places platz plätze plaats plaatsen zitplaats | hotel guesthouse inn pension lodging accommodation hostel unterkunft herberg
stay stayed slept sleep overnight übernachtung übernachten | luggage baggage suitcase gepäck koffer bagage
pack packing bring packen einpacken inpakken meenemen | passport reisepass pass paspoort | visa visum
trip journey travel excursion outing tour reise ausflug reis uitstapje | holiday vacation urlaub ferien vakantie
hike hiking walk trek wandern wanderung spaziergang wandeling wandelen | camp camping tent zelt | sea ocean meer zee
seasick seasickness nausea seekrank zeeziek | island isle insel eiland | lake see meer | mountain hill berg | forest wood woods wald bos | beach strand
puncture flat tyre tire reifen platten band | breakdown roadside panne pannendienst pannenhilfe | accident crash unfall ongeluk
fuel petrol gas gasoline benzin benzine | garage mechanic workshop werkstatt | job work position career arbeit stelle beruf baan werk
company firm business employer firma unternehmen bedrijf | boss manager supervisor chef leiter baas
colleague coworker teammate kollege kollegin collega | client customer kunde klant | salary wage pay raise gehalt lohn salaris loon
meeting appointment session besprechung termin sitzung vergadering afspraak | appointment visit termin afspraak
interview candidate applicant bewerbung vorstellungsgespräch sollicitatie | review evaluation appraisal assessment beurteilung beoordeling
report bericht rapport | deadline due frist abgabe | project vorhaben projekt | budget 予算 | plan schedule planung planning
presentation talk demo vortrag präsentation presentatie | offsite retreat getaway | conference congress tagung konferenz
training course lesson class kurs unterricht cursus les | resign quit leave leaving cancel cancelled kündigen gekündigt kündigung opzeggen opgezegd
retire retirement pension rente ruhestand pensioen | successor replacement nachfolger opvolger | expense expenses cost costs spesen ausgaben onkosten
price cost costs charge charged fee preis kosten gebühr prijs kost kostte | quote quotation offer estimate angebot offerte
invoice bill billed rechnung factuur rekening | billing invoicing invoices billed | receipt voucher beleg quittung bon kassenbon
payment pay paid zahlung bezahlen betaling betalen | instalment installment rate rata termijn
loan credit mortgage kredit darlehen hypothek lening krediet hypotheek | interest zinsen zins rente | money cash geld | bank account konto rekening
tax taxes steuer steuern belasting | return declaration erklärung steuererklärung aangifte | insurance policy versicherung verzekering
deductible excess selbstbeteiligung selbstbehalt | warranty guarantee garantie | savings save ersparnis sparen
donation donate donated charity gift spende spenden donatie | allowance benefit subsidy zuschuss zulage toeslag | notary notar notaris
lawyer attorney solicitor anwalt advocaat | police polizei politie | theft stolen steal burglary diebstahl gestohlen diefstal gestolen
mother mum mom mama mutter moeder mam | father dad papa vater vader pa | parents eltern ouders | grandmother grandma granny oma großmutter grootmoeder
grandfather grandpa granddad opa großvater grootvader | ancestor ancestors forefather great-grandfather vorfahren voorouders
genealogy ancestry family-history stammbaum ahnenforschung | aunt auntie tante | uncle onkel oom | sister schwester zus | brother bruder broer
son sohn zoon | daughter tochter dochter | child kid children kind kinder kinderen | baby infant säugling
husband wife spouse partner mann frau ehemann ehefrau man vrouw | friend freund freundin vriend vriendin
wedding marriage married hochzeit heirat bruiloft trouwen huwelijk | birthday geburtstag verjaardag | party celebration feier fest feest
gift present geschenk cadeau | christmas xmas weihnachten kerst kerstmis | nursery kindergarten daycare preschool kita crèche kinderopvang
teacher tutor instructor lehrer lehrerin erzieherin leraar lerares juf | school schule
university college studies studieren studiert uni hochschule universiteit | pupil student schüler leerling | dog hund hond
cat kitten katze kater kat poes 猫 | bird vogel | bee bees biene bienen bij bijen | horse pferd paard | tree baum boom | flower bloom blume blüte bloem
plant planted pflanze pflanzen gepflanzt planten | prune pruning trim schneiden schnitt snoeien | water watering gießen wässern gieten
seed seeds samen saat zaad | bulb zwiebel bol | vegetable veg gemüse groente | fruit obst frucht | potato kartoffel kartoffeln aardappel
tomato tomate tomaat | aubergine eggplant melanzani | courgette zucchini | pepper peppers paprika capsicum | carrot karotte möhre wortel
onion zwiebel ui | garlic knoblauch knoflook | bean beans bohne boon | lentil linse linsen linzen | rice reis rijst | bread brot brood
sourdough sauerteig zuurdesem | dough teig deeg | cake tart kuchen torte taart | biscuit cookie keks koekje | soup broth suppe soep
stew casserole ragout eintopf stoofpot ratatouille | meat fleisch vlees | beef rind rundvlees | pork schwein varkensvlees 猪肉 | chicken huhn hähnchen kip
fish fisch vis | cheese käse kaas | egg ei eier eieren | milk milch melk | spice spices seasoning herb gewürz gewürze kruiden | cumin kreuzkümmel komijn
cinnamon zimt kaneel | salt salz zout | sugar zucker suiker | plum pflaume zwetschge pruim | apple apfel appel | lemon zitrone citroen
nut hazelnut nuss noot | recipe rezept recept | bake baked baking backen bakken | cook cooked cooking kochen koken | dinner supper abendessen avondeten
lunch mittagessen middageten | breakfast frühstück ontbijt | restaurant trattoria bistro diner lokal | coffee espresso kaffee koffie | tea tee thee
wine wein wijn | beer bier | shop store laden geschäft winkel | buy bought purchase purchased kaufen gekauft kopen gekocht
sell sold verkaufen verkauft verkopen verkocht | order ordered bestellen bestellt besteld | deliver delivery delivered lieferung geliefert levering
shoe shoes boots schuhe stiefel schoenen laarzen | clothes clothing dress kleidung kleren kleding | jacket coat jacke mantel jas
ring jewellery jewelry schmuck sieraden | watch clock uhr uhrmacher horloge klok | music musik muziek | concert gig konzert | song lied
instrument cello violin piano | film movie kino bioscoop | game spiel spel | chess schach | football soccer fußball voetbal
swim swimming swam schwimmen zwemmen | sail sailing segeln zeilen | ski skiing skifahren skiën | snow schnee sneeuw | rain regen | storm gale sturm
weather wetter weer | fog mist nebel | ill sick sickness krank ziek | number nummer no | address adresse adres | city town stadt stad
street road straße weg | big large great groß groot | small little tiny klein | old alt oud | new neu nieuw | fast quick quickly rapid schnell snel
cheap cheaper inexpensive affordable billig günstig goedkoop | expensive dear costly teuer duur | missing lacking fehlt fehlen ontbreekt
lost lose verloren kwijt | find found gefunden gevonden | begin start started beginning anfang | end ends finish ending ende einde
open opening geöffnet opened | hours opening-hours surgery öffnungszeiten sprechstunde openingstijden spreekuur
move moved moving relocation umzug umziehen verhuizing verhuizen | borrow borrowed lend leihen geliehen lenen | spare extra reserve ersatz
result results value values ergebnis werte uitslag | test exam check examination prüfung untersuchung onderzoek | blood lab blut bloed
treat treatment behandlung behandeling | mite mites varroa milbe mijt | flood water-damage überschwemmung overstroming
registered registration anmeldung angemeldet aanmelding | valid expires expiry gültig ablauf geldig
renew renewal extend extension verlängern verlängerung verlengen | vienna wien wenen | lisbon lissabon | munich münchen | cologne köln keulen
brussels brüssel brussel | bruges brügge brugge | antwerp antwerpen | japan japanese tokyo kyoto osaka | germany deutschland duitsland
netherlands holland niederlande nederland | france frankreich frankrijk | italy italien italië | spain spanien spanje
`;

/** Gives words that mean much the same as a word, as stems. */
export type SynonymFinder = (stem: string) => readonly string[];

/** How many letters of a stem a word of the table begins with: a stemmer changes the end of a word only. */
const sharedLetters = 4;
/** Stems whose synonyms are remembered. */
const mostRemembered = 500;

/**
 * Makes a synonym finder for words that `read` gives the stems of. Words of the table are read when a stem like them is sought: to read them all takes as much time and memory as
 * a start has.
 */
export function makeSynonymFinder(read: (text: string) => readonly string[]): SynonymFinder {
  const table = ` ${groups
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f-]/g, "")
    .replaceAll("ß", "ss")
    .replaceAll("\n", " | ")} `;
  const stemOf = (word: string): string => read(word).join("");
  const find = (stem: string): readonly string[] => {
    const begin = ` ${stem.slice(0, Math.min(sharedLetters, Math.max(2, stem.length - 1)))}`;
    const found = new Set<string>();
    if (stem === "") return [];
    for (let at = table.indexOf(begin); at >= 0; at = table.indexOf(begin, at + 1)) {
      if (stemOf(table.slice(at + 1, table.indexOf(" ", at + 1))) !== stem) continue;
      const group = table.slice(table.lastIndexOf("|", at) + 1, table.indexOf("|", at));
      for (const word of group.trim().split(" ")) found.add(stemOf(word));
    }
    return [...found].filter((same) => same !== stem && same !== "");
  };
  const known = new Map<string, readonly string[]>();
  return (stem) => {
    const same = known.get(stem) ?? find(stem);
    if (known.size >= mostRemembered) known.clear();
    known.set(stem, same);
    return same;
  };
}
