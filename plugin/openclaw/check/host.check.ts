/** Compiles only if the host's plugin interface agrees with src/host.ts. */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import plugin from "../src/index.ts";

export const registers: (api: OpenClawPluginApi) => void = plugin.register;
