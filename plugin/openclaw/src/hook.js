/**
 * What recall and capture share: the service, the settings, and the state of all turns.
 *
 * @import { Settings, SharedState } from "../types/plugin.js"
 * @import { Requester } from "./requester.js"
 */
export class Hook {
  /**
   * @param {Requester} requester
   * @param {Settings} settings
   * @param {SharedState} state
   */
  constructor(requester, settings, state) {
    this.requester = requester;
    this.settings = settings;
    this.state = state;
  }
}
