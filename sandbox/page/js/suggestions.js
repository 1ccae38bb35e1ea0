// Questions that a newcomer can send with one click, chosen for each place.

const MARKET = [
  "Quels sont les prix des appartements à Villeurbanne ?",
  "Mon client peut-il encore acheter en Pinel ?",
  "Revente d'un LMNP : les amortissements sont-ils réintégrés dans la plus-value ?",
  "Relance logement (Jeanbrun) : pour qui, jusqu'à quand ?",
];

const BY_PLACE = {
  C0MARCHE: MARKET,
  C0TOULON: [
    "Prix des maisons à Toulon, et la commune a-t-elle un PPRI ?",
    "Quels risques faut-il annoncer à l'acquéreur d'une maison à Toulon ?",
    "Déficit foncier : quel plafond pour de gros travaux ?",
    "Note une synthèse du marché de Toulon sur le dossier 9003",
  ],
  C0PRIVE: [
    "Que doit contenir un rapport d'adéquation d'un CIF ?",
    "Un DPE classé F : peut-on encore louer ?",
    "Quel taux de prélèvements sociaux pour un LMNP en 2026 ?",
  ],
};

/** What the application itself suggests in its direct conversation comes first. */
export function suggestionsFor(channel) {
  const own = channel?.agent?.[""]?.prompts?.prompts?.map((prompt) => prompt.message);
  return own?.length ? own : BY_PLACE[channel?.id] || MARKET;
}
