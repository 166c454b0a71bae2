// @ts-check
/**
 * What the page of the records says in French.
 */

/** @type {Record<string, string>} */
export default {
  "Crib Wars: records": "Crib Wars\u00a0: archives",
  Games: "Parties",
  Game: "Partie",
  Sides: "Camps",
  End: "Fin",
  Counts: "Comptes",
  "Older games": "Parties plus anciennes",
  "No game has been played yet.": "Aucune partie n'a encore été jouée.",
  "Game {number}": "Partie {number}",
  "Game {number}: {end}": "Partie {number}\u00a0: {end}",
  running: "en cours",
  "not played to its end": "non terminée",
  "{name} won": "{name} a gagné",
  "{name} won, for {worth} games": "{name} a gagné, pour {worth} parties",
  "Side {team}": "Camp {team}",
  "{n} count": "{n} compte",
  "{n} counts": "{n} comptes",
  "{n} hand": "{n} main",
  "{n} hands": "{n} mains",

  // One game
  "The board, {title}": "Le plateau, {title}",
  "Event before": "Événement précédent",
  "Next event": "Événement suivant",
  "There is no other": "Il n'y en a pas d'autre",
  Speed: "Vitesse",
  Pause: "Pause",
  "Place in the game": "Moment de la partie",
  Place: "Moment",
  "{at} of {last}": "{at} sur {last}",
  "Hand {hand}: {words}": "Main {hand}\u00a0: {words}",
  "the start.": "le départ.",
  "The start.": "Le départ.",
  start: "départ",
  "The race of game {number}, hole by count; at its end {ends}. As a table below.":
    "La course de la partie {number}, trou par compte\u00a0; à la fin {ends}. En tableau plus bas.",
  "Show it on the board": "Montrer sur le plateau",
  "The lamps show it: any press at the table goes back to the running game.":
    "Les lampes la montrent\u00a0: tout bouton de la table ramène à la partie en cours.",
  "This phone only watches: the lamps stay as they are. Join, on the table's page, lets it in.":
    "Ce téléphone ne fait que regarder\u00a0: les lampes restent telles quelles. Rejoindre, sur la page de la table, permet de l'admettre.",
  "It was played on another board, so it is only drawn here.":
    "Elle s'est jouée sur un autre plateau, et n'est donc que dessinée ici.",
  "The log of the game": "Le journal de la partie",
  "Go to place {place}": "Aller au moment {place}",

  // Statistics
  Statistics: "Statistiques",
  "No game has been won yet.": "Aucune partie n'a encore été gagnée.",
  "Of {n} game played to the end.": "Sur {n} partie jouée jusqu'au bout.",
  "Of {n} games played to the end.": "Sur {n} parties jouées jusqu'au bout.",
  Matches: "Matchs",
  "Match {number}, game {first}": "Match {number}, partie {first}",
  "Match {number}, games {first} to {last}": "Match {number}, parties {first} à {last}",
  "{which}, first to {to}": "{which}, en {to} gagnantes",
  "{match}: {stands}.": "{match}\u00a0: {stands}.",
  "{match}: {stands}; {name} won it.": "{match}\u00a0: {stands}\u00a0; {name} l'a remporté.",
  "By side": "Par camp",
  "By name": "Par nom",
  "Games played": "Parties jouées",
  "Games won": "Parties gagnées",
  "{won}, counted as {worth}": "{won}, comptées pour {worth}",
  "Most won in a row": "Plus longue série gagnante",
  "{most}, just now {streak}": "{most}, en ce moment {streak}",
  Skunks: "Skunks",
  "Double skunks": "Doubles skunks",
  "{given} given, {taken} taken": "{given} infligés, {taken} subis",
  "Holes a game": "Trous par partie",
  "Average count": "Compte moyen",
  "Largest count": "Plus grand compte",
  "Average hand": "Main moyenne",
  "Average crib": "Chien moyen",
  "Pegging a deal": "Points du jeu par donne",
  "Red slides a game": "Sauts rouges par partie",
  "Time traps a game": "Pièges bleus par partie",
  "Short cuts a game": "Zones vertes par partie",
  "Penalty boxes a game": "Cases de pénalité par partie",
  "Twenties received": "Primes de vingt reçues",
  "Best swing": "Meilleur revirement",
  "Worst swing": "Pire revirement",
  "{sign}{n} hole, game {game}": "{sign}{n} trou, partie {game}",
  "{sign}{n} holes, game {game}": "{sign}{n} trous, partie {game}",
  "Greatest comeback": "Plus belle remontée",
  "Points for penalties": "Points de pénalité",
  "Points by muggins": "Points par muggins",
  "Hand, crib and pegging are told apart only in games for which cards were dealt here: a press on a button does not say what it counts.":
    "Main, chien et points du jeu ne se distinguent que dans les parties dont les cartes ont été données ici\u00a0: un bouton ne dit pas ce qu'il compte.",

  // To take away
  "To take away": "À emporter",
  "Counts as a table (CSV)": "Les comptes en tableau (CSV)",
  "Everything (JSON)": "Tout (JSON)",
  Backup: "Sauvegarde",
  "A backup holds the journal, the settings and the boards. It is put back at the machine itself, with the table stopped:":
    "Une sauvegarde contient le journal, les réglages et les plateaux. Elle se remet en place sur la machine même, la table étant arrêtée\u00a0:",
};
