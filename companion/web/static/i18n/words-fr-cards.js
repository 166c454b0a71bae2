// @ts-check
/**
 * What is said in French of cards: in a hand, on the counter, in the demo.
 */

/** @type {Record<string, string>} */
export default {
  ace: "as",
  jack: "valet",
  queen: "dame",
  king: "roi",
  spades: "pique",
  hearts: "cœur",
  diamonds: "carreau",
  clubs: "trèfle",
  "{rank} of {suit}": "{rank} de {suit}",
  "face down": "face cachée",

  // A hand of cards
  "Crib Wars: a hand of cards": "Crib Wars\u00a0: une main de cartes",
  Starter: "Départ",
  Count: "Compte",
  Crib: "Chien",
  "Your cards": "Vos cartes",
  Sorted: "Ordre",
  up: "croissant",
  down: "décroissant",
  "as dealt": "de la donne",
  Commentary: "Commentaire",
  "{name}, seat {seat}": "{name}, siège {seat}",
  "{name}: {who}": "{name}\u00a0: {who}",
  "{name} is to choose": "{name} doit choisir",
  "Choose {n} card for the crib": "Choisir {n} carte pour le chien",
  "Choose {n} cards for the crib": "Choisir {n} cartes pour le chien",
  "Choose 1 card to go under the deck: the crib comes from the other sides":
    "Choisir 1 carte à mettre sous le paquet\u00a0: le chien vient des autres camps",
  "Throw into the crib": "Mettre au chien",
  "Put under the deck": "Mettre sous le paquet",
  "Play a card": "Jouer une carte",
  Play: "Jouer",
  "The cards are being dealt": "Les cartes sont en cours de donne",

  // Counts that sides make themselves
  "Count your card": "Comptez votre carte",
  "Count your hand": "Comptez votre main",
  "Count your crib": "Comptez votre chien",
  "the card": "la carte",
  "the hand": "la main",
  "the crib": "le chien",
  "{name} is to count {what}": "{name} doit compter {what}",
  "{name} counts {n} for {what}": "{name} compte {n} pour {what}",
  "{counted}. {names}: call muggins with its points, or go on with Enter":
    "{counted}. {names}\u00a0: criez muggins avec ses points, ou continuez avec Entrée",
  "Count {n}": "Compter {n}",
  "Muggins: {n}": "Muggins\u00a0: {n}",
  "Go on": "Continuer",
  "The cards counted": "Les cartes comptées",

  // Dealing
  "Deal cards": "Donner les cartes",
  "Seat {seat}": "Siège {seat}",
  "Play against the computer": "Jouer contre l'ordinateur",
  "Choose how well it plays": "Choisir son niveau",
  "A person": "Une personne",
  "Child, a computer": "Enfant, un ordinateur",
  "Regular, a computer": "Habitué, un ordinateur",
  "Shark, a computer": "Requin, un ordinateur",
  "plays any card that fits, and overlooks points":
    "joue n'importe quelle carte permise et oublie des points",
  "keeps the best hand and takes the most points at once, whatever the board":
    "garde la meilleure main et prend tout de suite le plus de points, sans regarder le plateau",
  "works out what you may hold, and plays for the zones of the board":
    "devine ce que vous pouvez tenir et joue avec les zones du plateau",
  "Each person opens their own hand: here by the link, on a phone by its code.":
    "Chaque personne ouvre sa propre main\u00a0: ici par le lien, sur un téléphone par son code.",
  "End the game of cards": "Terminer la partie de cartes",

  // The demo
  "The cards": "Les cartes",
  "The way the pegs took": "Le chemin des chevilles",
  "The next game begins soon": "La prochaine partie commence bientôt",
  "seat {seat}": "siège {seat}",
  dealer: "donne",
  "to play": "doit jouer",
  counts: "compte",

  // The counter
  "Crib Wars: counter": "Crib Wars\u00a0: compteur",
  "Count a hand": "Compter une main",
  Hand: "Main",
  Clear: "Effacer",
  "Peg it": "Marquer",
  "Tap the four cards, then the starter": "Toucher les quatre cartes, puis la carte de départ",
  "Tap the starter": "Toucher la carte de départ",
  "Tap {missing} more cards": "Encore {missing} cartes",
  "{card}: put it back": "{card}\u00a0: à remettre",
  "{n} point": "{n} point",
  "{n} points": "{n} points",
  "{points}, makes {sum}": "{points}, ce qui fait {sum}",
  Fifteen: "Quinze",
  Pair: "Paire",
  "Pair royal": "Brelan",
  "Double pair royal": "Carré",
  Run: "Suite",
  Flush: "Couleur",
  Nobs: "Valet de la couleur",
};
