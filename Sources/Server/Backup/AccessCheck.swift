import Glibc
import HearthCatalog
import HearthFiles
import HearthStorage

/// Checks whether the secrets exist, are complete, and can be accessed by their owner only.
struct AccessCheck {
    let layout: DataLayout

    func problems() -> [DataProblem] {
        var problems = secretProblems()
        // The entries have their own modes. So other users may read the folder itself, but not change it.
        problems += accessProblems(layout.path, isFolder: true, forbidden: 0o022)
        // The model files may be on another disk.
        problems += accessProblems(layout.blobFolder, isFolder: true, followsLink: true)
        for folder in [layout.keyFolder, layout.credentialsFolder] {
            problems += accessProblems(folder, isFolder: true)
        }
        problems += accessProblems(layout.database, isFolder: false)
        // The log of the database, which exists while a server runs.
        for log in ["-wal", "-shm"].map({ layout.database + $0 }) where access(log, F_OK) == 0 {
            problems += accessProblems(log, isFolder: false)
        }
        for folder in DataLayout.smallFolders {
            for name in (try? DiskFiles().list(layout.file(folder))) ?? [] {
                problems += accessProblems(layout.file(folder + "/" + name), isFolder: false)
            }
        }
        return problems
    }

    private func secretProblems() -> [DataProblem] {
        func problem(_ path: String, _ text: String) -> DataProblem {
            DataProblem(
                "secret", path, text,
                remedy:
                    "Restore it from a backup; a new one makes all issued tokens and links invalid.")
        }
        let keys = FileSigningKeyStore(firstPath: layout.secret)
        guard PathKind(layout.secret) != .absent else { return [problem(layout.secret, "it is not there")] }
        do {
            let damage = try keys.damage().map { problem($0.path, $0.fault) }
            guard damage.isEmpty, try !keys.load().contains(where: { !$0.isRetired }) else { return damage }
            return [problem(layout.keyFolder, "it contains no signing key that is in use")]
        } catch {
            return [problem(layout.secret, "it cannot be read: \(error)")]
        }
    }

    private func accessProblems(
        _ path: String, isFolder: Bool, forbidden: mode_t = 0o077, followsLink: Bool = false
    ) -> [DataProblem] {
        var info = stat()
        guard (followsLink ? stat(path, &info) : lstat(path, &info)) == 0 else {
            return [DataProblem("file", path, "it is not there", remedy: "Restore a backup into a new folder.")]
        }
        guard info.st_mode & S_IFMT == (isFolder ? S_IFDIR : S_IFREG) else {
            return [
                DataProblem(
                    "file", path, "it is not a \(isFolder ? "folder" : "regular file")", remedy: "Restore a backup.")
            ]
        }
        guard info.st_mode & forbidden != 0 else { return [] }
        return [
            DataProblem(
                "access", path, "users other than its owner may access it", remedy: "Run: chmod go= '\(path)'")
        ]
    }
}
