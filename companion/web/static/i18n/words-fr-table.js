// @ts-check
/**
 * What the table's page, its dialogs and the score pad say in French.
 */

/** @type {Record<string, string>} */
export default {
  Board: "Plateau",
  "The board": "Le plateau",
  "The printed board; its lamps are told in words beside it":
    "Le plateau imprimé\u00a0; ses lampes sont décrites à côté",
  "Not saved: the journal cannot be written. Counts made now are lost if the power goes.":
    "Non enregistré\u00a0: le journal ne peut pas être écrit. En cas de coupure, les comptes faits à présent sont perdus.",
  "Not saved: the journal cannot be written.": "Non enregistré\u00a0: le journal ne peut pas être écrit.",
  "Set the board up": "Configurer le plateau",
  "The panel": "Le pupitre",
  "What happened": "Ce qui s'est passé",
  Standing: "Situation",
  "At the table": "À la table",
  Demo: "Démo",
  "End the demo": "Arrêter la démo",
  "press any button to end it": "tout bouton l'arrête",
  Records: "Archives",
  "Set-up": "Configuration",
  "Full screen": "Plein écran",
  "Trap adviser": "Conseils sur les pièges",
  Close: "Fermer",

  // Zoom
  "Zoom of the board": "Zoom du plateau",
  "Zoom in": "Agrandir",
  "Zoom out": "Réduire",
  "The whole board": "Le plateau entier",
  "This is the whole board": "C'est le plateau entier",
  "Nearer is not possible": "Impossible de s'approcher davantage",

  // The places of the sheet
  "Red slide: who lands here goes on at once to the same place of the box at {to} (Z2)":
    "Saut rouge\u00a0: qui tombe ici passe aussitôt à la même place de la case à {to} (Z2)",
  "Time trap: the next count of who lands here goes down the blue path, back to {rejoin} (Z3)":
    "Piège bleu\u00a0: le prochain compte de qui tombe ici suit la voie bleue, en arrière jusqu'à {rejoin} (Z3)",
  "Green advance: the next count of who lands here takes the green path, on to {rejoin} (Z4)":
    "Avance verte\u00a0: le prochain compte de qui tombe ici suit la voie verte, en avant jusqu'à {rejoin} (Z4)",
  "Penalty box: who lands here folds; of two sides it goes back 20, of three it sits out three hands (Z5)":
    "Case de pénalité\u00a0: qui tombe ici couche sa main\u00a0; à deux camps on recule de 20, à trois on passe trois mains (Z5)",
  "Hole {hole}, lane {lane}": "Trou {hole}, couloir {lane}",
  "Start of lane {lane}: lit while its peg is on 0": "Départ du couloir {lane}\u00a0: allumé tant que sa cheville est à 0",
  "Dealer's lamp of seat {seat}: lit while it deals": "Lampe du donneur, siège {seat}\u00a0: allumée quand il donne",

  // The television
  "Crib Wars: the board on a television": "Crib Wars\u00a0: le plateau sur un téléviseur",
  "Scan to join": "Scanner pour participer",
  "Red slide {way}": "Saut rouge {way}",
  "Time trap": "Piège bleu",
  "Green advance": "Avance verte",
  "Penalty box": "Case de pénalité",
  "Out for {n} hand": "Dehors pour {n} main",
  "Out for {n} hands": "Dehors pour {n} mains",
  "Sent back {way}": "Renvoi {way}",
  "Penalty {way}": "Pénalité {way}",
  "Free again": "Libre à nouveau",
  Skunk: "Bredouille",
  Wins: "Gagne",
  "Wins the match": "Gagne le match",

  // The referee
  Referee: "Arbitre",
  "What went wrong?": "Quelle erreur\u00a0?",
  "{n} ruling": "{n} règle",
  "{n} rulings": "{n} règles",
  "No ruling has all these words": "Aucune règle ne contient tous ces mots",
  "Yes, it is so": "Oui, c'est exact",
  No: "Non",
  "Muggins: somebody missed points, or counted too many.":
    "Muggins\u00a0: des points oubliés, ou comptés en trop.",
  "Who first calls it takes the difference; who counted too many goes back by it. The caller may give the points back at once.":
    "Qui le crie en premier prend la différence\u00a0; qui en a compté trop recule d'autant. Les points pris peuvent être rendus aussitôt.",
  "Give two points": "Accorder deux points",
  Give: "Accorder",
  "Who did it?": "Qui l'a fait\u00a0?",
  "Who takes two?": "Qui en prend deux\u00a0?",
  "Claim the game": "Réclamer la partie",
  "Who gets the game?": "À qui revient la partie\u00a0?",
  "The game ends, and {name} has won it.": "La partie se termine, et {name} la gagne.",
  Nobody: "Personne",
  "Put the count right": "Rectifier le compte",
  "Put it right": "Rectifier",
  "Who pegged too many?": "Qui a trop marqué\u00a0?",
  "How many too many?": "Combien de trop\u00a0?",
  "Who takes them?": "Qui les prend\u00a0?",
  "Call muggins": "Crier muggins",
  "Call it": "Crier",
  "Who erred?": "Qui s'est trompé\u00a0?",
  "Who called it?": "Qui l'a crié\u00a0?",
  Points: "Points",
  "Where?": "Où\u00a0?",
  "In the show": "Au décompte des mains",
  "In the play": "Pendant le jeu",
  "How?": "Comment\u00a0?",
  Missed: "Oubliés",
  "Counted too many": "Comptés en trop",
  "The points are": "Les points sont",
  Kept: "Gardés",
  "Given back": "Rendus",

  "wrong count miscount missed overlooked too many cheat": "faux compte oublié oubliés trop erreur tricherie triche",

  // Corrections
  "Correct a count": "Corriger un compte",
  "Correct this count": "Corriger ce compte",
  "Correct it": "Corriger",
  "Which count?": "Quel compte\u00a0?",
  "Remove it": "Le retirer",
  "Nobody has counted in this game.": "Personne n'a compté dans cette partie.",
  "Place pegs": "Placer les chevilles",
  "Place them": "Les placer",
  "For a game that was begun without lights: nothing is counted, and no zone acts.":
    "Pour une partie commencée sans lumières\u00a0: rien n'est compté, aucune zone n'agit.",
  "Which side?": "Quel camp\u00a0?",
  "Front peg on": "Cheville avant sur",
  "Back peg on": "Cheville arrière sur",
  "Dropped: {before}": "Supprimé\u00a0: {before}",
  "{before} Then: {after}": "{before} Alors\u00a0: {after}",
  "{name}: from {before} to {after}, the back peg on {back}":
    "{name}\u00a0: de {before} à {after}, la cheville arrière sur {back}",

  // Phones
  Phones: "Téléphones",
  "Phones cannot reach this machine: for that set host to \"0.0.0.0\" under [web] in its settings, and start it again.":
    "Les téléphones ne peuvent pas joindre cette machine\u00a0: pour cela, donner à host la valeur \"0.0.0.0\" sous [web] dans ses réglages, puis la relancer.",
  "Let in": "Téléphones admis",
  "None yet: a phone that opens a score pad asks for it.":
    "Aucun encore\u00a0: un téléphone qui ouvre un marqueur le demande.",
  "keeps score": "marque les points",
  "runs the table": "dirige la table",
  "{may}, since {day}": "{may}, depuis le {day}",
  "{may}, since {day}, this phone": "{may}, depuis le {day}, ce téléphone",
  Forget: "Oublier",
  "Forget {name}": "Oublier {name}",
  "A phone called “{name}” wants to keep score":
    "Un téléphone du nom de «\u00a0{name}\u00a0» demande à marquer les points",
  "A phone called “{name}” wants to run the table":
    "Un téléphone du nom de «\u00a0{name}\u00a0» demande à diriger la table",
  "{who}: press any button at the table to let it in":
    "{who}\u00a0: presser un bouton de la table pour l'admettre",
  "{who}. Its code is": "{who}. Son code est",
  "{who}: its code is on the table's console": "{who}\u00a0: son code est sur la console de la table",

  // Letting this phone in
  Join: "Rejoindre",
  "Join to run the table": "Rejoindre pour diriger la table",
  "Let this phone in": "Admettre ce téléphone",
  "What is this phone called?": "Quel est le nom de ce téléphone\u00a0?",
  "a phone": "un téléphone",
  "First the table must know this phone.": "La table doit d'abord connaître ce téléphone.",
  "The code": "Le code",
  "The table shows six digits, on its console and on the screen beside it.":
    "La table montre six chiffres, sur sa console et sur l'écran à côté d'elle.",
  "Send the code": "Envoyer le code",
  "Now press any button at the table.": "Il reste à presser un bouton de la table.",

  // The score pad
  "Crib Wars: score pad": "Crib Wars\u00a0: marqueur",
  "Score pad": "Marqueur",
  "Which side does this phone score for?": "Pour quel camp ce téléphone marque-t-il\u00a0?",
  "Other side": "Autre camp",
  "The count": "Le compte",
  "On hole": "Sur le trou",
  "The other sides": "Les autres camps",
  "The sides": "Les camps",
  "What happened last": "Le dernier événement",
  "The buttons": "Les boutons",
  "Quick counts": "Comptes rapides",
  "Short: brightness. Held two seconds: the demo. Five seconds: a new game.":
    "Bref\u00a0: la luminosité. Tenu deux secondes\u00a0: la démo. Cinq secondes\u00a0: une nouvelle partie.",
  "{hand}, your crib": "{hand}, votre chien",
  "{points} pending": "{points} en attente",
  "count {points}": "compter {points}",
  "A count is {most} at most": "Un compte est de {most} au plus",
  "Not sent yet, trying again: {taps}": "Pas encore envoyé, nouvel essai en cours\u00a0: {taps}",
  "Not sent: {taps}: {why}.": "Non envoyé ({taps})\u00a0: {why}.",
  "the table was out of reach for a minute. Look at it, and enter what is missing":
    "la table est restée hors de portée une minute. La regarder, et saisir ce qui manque",
  "the table was started anew. Look whether your count is there":
    "la table a redémarré. Vérifier que votre compte y est",
};
