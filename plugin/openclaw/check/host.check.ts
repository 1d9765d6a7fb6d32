/** Compiles only if the host's plugin interface agrees with types/host.d.ts. */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import plugin from "../src/index.js";

export const registers: (api: OpenClawPluginApi) => void = plugin.register;
