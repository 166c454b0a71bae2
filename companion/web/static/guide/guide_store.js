// @ts-check
/** State of the guide on the board's page: the first visit of this device, and the end of a game. */

import { recall, remember } from "../net/storage.js";
import { Store } from "../ui/store.js";

const VISITED = "visited";

export class GuideStore extends Store {
  /** @param {Api.About} about */
  constructor(about) {
    super();
    this.about = about;
    /** True on a first visit, until its card is closed. */
    this.isOpen = !recall(VISITED);
    /** True while the user has that card open again. It then stays open, whatever the board shows. */
    this.isReopened = false;
    /** @type {Api.TableNews | null} */
    this.news = null;
    /** `seq` of the last win whose card was closed. */
    this.closed = -1;
  }

  /** @param {Api.TableNews} news */
  show(news) {
    const counts = Object.values(news.table.teams).some(({ pending }) => pending > 0);
    const begun = this.news !== null && (news.seq !== this.news.seq || counts);
    this.news = news;
    if (begun && !news.cards && !this.isReopened) this.dismiss();
    this.changed();
  }

  /** True while the board shows a game that was won and the card of the win is not closed. */
  get isOver() {
    const { news } = this;
    return news !== null && news.table.winner !== null && !news.demo && !news.mode && this.closed !== news.seq;
  }

  /** True while the card of the first visit is shown. Unless reopened, it yields to a win, a demo and dealt cards. */
  get isWelcome() {
    return this.isReopened || (this.isOpen && !this.isOver && !this.news?.demo && !this.news?.cards);
  }

  /** Open the card of the first visit again. */
  welcome() {
    this.isReopened = true;
    this.changed();
  }

  /** Close the card of the first visit. This device does not show it again by itself. */
  dismiss() {
    this.isOpen = false;
    this.isReopened = false;
    remember(VISITED, "yes");
    this.changed();
  }

  /** Close the card of a win. */
  close() {
    this.closed = this.news?.seq ?? -1;
    this.changed();
  }
}
