package import HearthArguments

/// The commands of `hearth`. The full program runs all of them; the quick one runs a few, and lists all.
extension CommandSummary {
    package static let serve = CommandSummary(name: "serve", abstract: "Run the server.")
    package static let follow = CommandSummary(
        name: "follow",
        abstract: "Run a server that copies another one and answers its devices, for a site or as a standby.")
    package static let console = CommandSummary(
        name: "console", abstract: "Open the web console in a browser, and manage who is signed in.")
    package static let models = CommandSummary(name: "models", abstract: "Manage the models on a server.")
    package static let releases = CommandSummary(
        name: "releases", abstract: "Roll out model versions to devices.")
    package static let remoteConfig = CommandSummary(
        name: "remoteconfig", abstract: "Manage Remote Config: the parameters that devices fetch.")
    package static let experiments = CommandSummary(
        name: "experiments", abstract: "Compare versions of a model, or values of parameters, on devices.")
    package static let keys = CommandSummary(
        name: "keys", abstract: "Manage API keys of apps, service accounts and admin tokens.")
    package static let status = CommandSummary(
        name: "status", abstract: "Show what is going on: rollouts, experiments, and what failed.")
    package static let search = CommandSummary(
        name: "search", abstract: "Find models, parameters, conditions and experiments by name.")
    package static let projects = CommandSummary(name: "projects", abstract: "Manage the projects on a server.")
    package static let admin = CommandSummary(
        name: "admin", abstract: "Back up, restore and verify a server; show the audit log.")
    package static let importing = CommandSummary(
        name: "import", abstract: "Bring models from another host to a server.")
    package static let migrate = CommandSummary(
        name: "migrate", abstract: "Check what an app needs to leave Firebase.")
    static let pack = CommandSummary(
        name: "pack", abstract: "Write labels, and how images go in, into a model's file; pack a bundle into one file.")
    package static let pull = CommandSummary(name: "pull", abstract: "Download a published model, as a device does.")
    package static let device = CommandSummary(name: "device", abstract: "Manage the models on this device.")
    static let label = CommandSummary(name: "label", abstract: "Label images with a classification model.")
    static let detect = CommandSummary(name: "detect", abstract: "Detect objects in images.")
    package static let inspect = CommandSummary(
        name: "inspect", abstract: "Show a model's inputs and outputs, and validate it.")
    static let bench = CommandSummary(name: "bench", abstract: "Measure how fast a model loads and runs.")
    package static let demo = CommandSummary(
        name: "demo", abstract: "Run a full example: publish, download, run and update a model.")
    package static let probe = CommandSummary(
        name: "probe", abstract: "Validate the model on file descriptor 3 in a sandbox.", isListed: false)

    /// In the order of the help.
    package static let all = [
        serve, follow, console, models, releases, remoteConfig, experiments, status, search, keys, projects, admin,
        importing,
        migrate, pack, pull, device, label, detect, inspect, bench, demo, probe,
    ]
}
