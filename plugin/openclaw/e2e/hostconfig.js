/** Returns a configuration of the host that is quiet and uses no network but the mock model. */
export function hostConfig({ modelUrl, port, token, log, workspace, otherWorkspace, toolSearch = true }) {
  const model = { id: "m", name: "m", contextWindow: 128_000, maxTokens: 4_096, input: ["text"], reasoning: false, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
  return {
    update: { checkOnStart: false },
    telemetry: { enabled: false },
    models: { catalogRefresh: { enabled: false }, providers: { mock: { baseUrl: modelUrl, apiKey: "none", api: "openai-completions", models: [model] } } },
    discovery: { mdns: { mode: "off" } },
    logging: { file: log },
    gateway: {
      mode: "local",
      port,
      auth: { mode: "token", token },
      http: { endpoints: { chatCompletions: { enabled: true } } },
    },
    tools: { toolSearch }, // true: the host's default
    agents: {
      defaults: {
        workspace,
        model: { primary: "mock/m" },
        skipBootstrap: true,
        heartbeat: { every: "0m", target: "none" }, // only those that a test wakes
        compaction: { mode: "default", keepRecentTokens: 1 },
      },
      list: [{ id: "main", default: true, workspace }, { id: "other", workspace: otherWorkspace }],
    },
  };
}
