// @ts-check
/**
 * What the game and its buttons are called in French, with the words of the French commentary.
 */

/** @type {Record<string, string>} */
export default {
  "The table": "La table",
  Live: "En direct",
  "Connection lost, trying again": "Connexion perdue, nouvel essai en cours",
  "The table is switched off; this page waits for it": "La table est éteinte\u00a0; cette page l'attend",
  Resting: "En pause",
  "Looking for the table": "Recherche de la table",
  "The table cannot be reached.": "La table est hors de portée.",

  // Holes of the side paths
  "trap {number}": "bleu {number}",
  "green {number}": "vert {number}",
  "path {number}": "voie {number}",
  "on the blue path": "sur la voie bleue",
  "on the green path": "sur la voie verte",
  "on a side path": "sur une voie",
  "{number} on the blue path": "la place {number} de la voie bleue",
  "{number} on the green path": "la place {number} de la voie verte",
  "{number} on a side path": "la place {number} de la voie",

  // Who leads
  "{name} has won": "{name} a gagné",
  "{name} has won by {ahead}": "{name} a gagné avec {ahead} d'avance",
  "{name} leads by {ahead}": "{name} mène de {ahead}",
  "{first} and {last}": "{first} et {last}",
  "{names} are level": "Égalité\u00a0: {names}",
  "{name} has won the match: {score}": "{name} a remporté le match\u00a0: {score}",
  "Match to {to}: {score}": "Match en {to}\u00a0: {score}",
  "Games won: {score}": "Parties gagnées\u00a0: {score}",
  "{n} game": "{n} partie",
  "{n} games": "{n} parties",

  // How a side stands
  "Hand {hand}, {name} deals": "Main {hand}, {name} donne",
  "Hand {hand}, {name} deals, seat {dealer}": "Main {hand}, {name} donne, siège {dealer}",
  folded: "main couchée",
  "boxed, {n} hand to sit": "en case de pénalité, encore {n} main",
  "boxed, {n} hands to sit": "en case de pénalité, encore {n} mains",
  "{sits}: press Enter to move": "{sits}\u00a0: Valider pour avancer",
  "free from the next deal": "libre à la prochaine donne",
  "not playing": "ne joue pas",

  // What the table waits for
  "{name} wins": "{name} gagne",
  "{name} wins the match": "{name} gagne le match",
  "Deal starts the next game, Undo takes the win back":
    "Donner pour la partie suivante, Annuler pour reprendre le coup gagnant",
  "Deal starts a new match, Undo takes the win back":
    "Donner pour un nouveau match, Annuler pour reprendre le coup gagnant",
  "The board shows off: any press wakes it": "Le plateau fait son spectacle\u00a0: tout bouton le réveille",
  "The lights are being set up: any press ends that":
    "L'éclairage est en cours de réglage\u00a0: tout bouton y met fin",
  "Test of buttons and lamps: Mode ends it": "Essai des touches et des lampes\u00a0: Mode y met fin",
  "Tour of the lights": "Visite des lumières",
  "Lights and buttons": "Lumières et touches",
  "Asleep: any press wakes it": "En veille\u00a0: tout bouton réveille la table",
  "Game {game} again, {at} of {of}: any press goes back to the running game":
    "Partie {game} revue, {at} sur {of}\u00a0: tout bouton ramène à la partie en cours",
  "New game": "Nouvelle partie",
  "New game: {names}": "Nouvelle partie\u00a0: {names}",
  "Enter joins, +1 adds a person, Deal starts, Undo calls it off":
    "Valider pour participer, +1 pour une personne de plus, Donner pour commencer, Annuler pour renoncer",
  "Rules: {preset}; +5 changes them": "Règles\u00a0: {preset}\u00a0; +5 en change",
  "Rules of the settings; +5 changes them": "Règles des réglages\u00a0; +5 en change",
  "Deal starts it, +1 adds a person": "Donner pour commencer, +1 pour une personne de plus",

  // What a count would do
  "{points} lands on {hole}": "{points} mène à {hole}",
  "{points} lands on {hole}: {effect}": "{points} mène à {hole}\u00a0: {effect}",
  "{points} is too many: the peg stays": "{points}, c'est trop\u00a0: la cheville reste",
  "{counts} {effect}": "{counts}\u00a0: {effect}",
  "slides to {hole}": "saut à {hole}",
  "time trap": "piège bleu",
  "green advance": "zone verte d'avancée",
  "penalty box": "case de pénalité",
  wins: "victoire",
  "lead a five": "entamer d'un cinq",

  // Buttons
  Enter: "Valider",
  Undo: "Annuler",
  Deal: "Donner",
  Mode: "Mode",
  enter: "valider",
  undo: "annuler",
  deal: "donner",
  mode: "mode",
  Space: "Espace",
  "{name}'s score pad": "Marqueur\u00a0: {name}",
  "Code to scan: {what}": "Code à scanner, {what}",
};
