import EndToEndDriving
import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Who gets which version, from the command line to a device.
    @Suite struct ReleaseCommandTests {
        private let server: ServerProcess

        init() throws {
            server = try ServerProcess()
            for (file, flag) in [(SampleModels.bundle, "--publish"), (SampleModels.secondBundle, "--share=0%")] {
                let ending = try server.hearth("models", "push", "digits", file, flag)
                #expect(ending.exitCode == 0, "\(ending.errors)")
            }
        }

        private struct Pulled: Decodable {
            var sha256: String
        }

        private func json<Value: Decodable>(_ type: Value.Type, _ arguments: String...) throws -> Value {
            let ending = try server.hearth(arguments + ["--json"])
            #expect(ending.exitCode == 0, "\(arguments): \(ending.errors)")
            return try WireJSON.decode(type, from: ending.output.utf8)
        }

        private var versions: [ReleaseBodies.Version] {
            get throws { try json(ReleaseBodies.VersionList.self, "models", "versions", "digits").versions ?? [] }
        }

        /// The version that a device gets now.
        private var served: Int? {
            get throws {
                let pulled = try json(Pulled.self, "pull", "digits")
                return try versions.first { $0.modelHash == pulled.sha256 }?.version
            }
        }

        @Test func aRolloutFromNobodyToAllAndBack() throws {
            #expect(try served == 1)
            let raised = try json(ReleaseBodies.Release.self, "releases", "set", "digits", "--share", "100%")
            #expect(raised.release == 2 && raised.version == 2 && raised.share == 1)
            #expect(try served == 2)
            let back = try json(ReleaseBodies.Release.self, "releases", "rollback", "digits")
            #expect(back.kind == "rollback" && back.version == 1)
            #expect(try served == 1)
            let again = try json(ReleaseBodies.Release.self, "releases", "rollback", "digits", "--to", "2")
            #expect(again.version == 2)
            #expect(try served == 2)
            let all = try json(ReleaseBodies.ReleaseList.self, "releases", "list", "digits").releases ?? []
            #expect(all.map(\.state) == ["active", "ended", "ended", "ended"])
        }

        @Test func anAliasStandsForAVersion() throws {
            let named = try server.hearth("models", "alias", "digits", "champion", "2")
            #expect(named.output == "champion is version 2 of 'digits' now.\n", "\(named.errors)")
            #expect(try server.hearth("models", "note", "digits", "champion", "May's images").exitCode == 0)
            #expect(try versions.first?.note == "May's images" && versions.first?.aliases == ["champion"])
            let table = try server.hearth("models", "versions", "digits").output
            #expect(table.contains("champion") && table.contains("May's images"))
            let published = try server.hearth("models", "publish", "digits", "--version", "champion")
            #expect(
                published.output
                    == "Published 'digits' version 2.\nEnded release 2: version 2 to 0% of all devices.\n")
            #expect(published.errors == "champion is version 2.\n")
            #expect(try served == 2)
            let moved = try server.hearth("models", "alias", "digits", "champion", "1")
            #expect(moved.output == "champion is version 1 of 'digits' now; it was version 2.\n")
            #expect(try served == 2, "an alias gives nothing to devices")
            let pinned = try server.hearth("releases", "pin", "digits", "--tag", "qa", "--version", "champion")
            #expect(pinned.output == "Pinned tag qa: version 1 of 'digits'.\n")
            let back = try json(ReleaseBodies.Release.self, "releases", "rollback", "digits", "--to", "champion")
            #expect(back.version == 1)
            let again = try json(
                ReleaseBodies.Release.self, "releases", "create", "digits", "--version", "champion", "--share", "10%")
            #expect(again.version == 1 && again.unchanged == true)
            #expect(try server.hearth("models", "health", "digits", "--version", "champion").exitCode == 0)
            let draft = try json(
                ExperimentBodies.Experiment.self, "experiments", "create", "--name", "x", "--model", "digits",
                "--versions", "champion,2", "--goal", "kept")
            #expect(draft.definition.variants.map(\.models) == [["digits": 1], ["digits": 2]])
            let unknown = try server.hearth("models", "publish", "digits", "--version", "stable")
            #expect(unknown.exitCode == 1 && unknown.errors.contains("The model 'digits' has no alias 'stable'."))
            #expect(try server.hearth("models", "aliases", "digits").output.contains("champion        1"))
            let pushed = try server.hearth(
                "models", "push", "digits", SampleModels.secondBundle, "--note", "June's images")
            #expect(pushed.output.hasSuffix("It has the note now.\n"), "\(pushed.output)\(pushed.errors)")
            #expect(try versions.first?.note == "June's images")
            let removed = try server.hearth("models", "alias", "digits", "champion", "--remove")
            #expect(removed.output == "Removed the alias champion of 'digits', which was version 1.\n")
            #expect(try server.hearth("models", "aliases", "digits").output == "'digits' has no aliases.\n")
        }

        @Test func publishingEndsARolloutOfTheNewestVersion() throws {
            #expect(try server.hearth("models", "list").output.contains("version 1; version 2 to 0% of all devices"))
            let published = try server.hearth("models", "publish", "digits")
            #expect(
                published.output
                    == "Published 'digits' version 2.\nEnded release 2: version 2 to 0% of all devices.\n")
            #expect(try served == 2)
            // The release for all devices has no guards.
            let guards = try server.hearth("releases", "guards", "digits").output
            #expect(guards.contains("(ended)") && guards.contains("returned-without"), "\(guards)")
            let again = try server.hearth("models", "publish", "digits")
            #expect(again.output == "Nothing changed: all devices already get 'digits' version 2.\n")
        }

        @Test func aFilePushedAgainIsReleasedAsTheSecondCallSays() throws {
            let same = try server.hearth("models", "push", "digits", SampleModels.secondBundle, "--share=0%")
            #expect(same.exitCode == 0, "\(same.errors)")
            #expect(same.output.contains("already so: release 2: version 2 to 0% of all devices (active)"))
            let pushed = try server.hearth("models", "push", "digits", SampleModels.secondBundle, "--publish")
            #expect(pushed.output.contains("Nothing new") && pushed.output.contains("Devices get it from now on."))
            for flags in [[], ["--publish"]] {
                let tagged = try server.hearth(
                    ["models", "push", "digits", SampleModels.secondBundle, "--tag", "t\(flags.count)"] + flags)
                #expect(tagged.output.contains("Devices already get it."), "\(tagged.output)\(tagged.errors)")
            }
            #expect(try served == 2)
        }

        @Test func whatAllDevicesHaveIsNotRolledOutToSomeOfThem() throws {
            #expect(try server.hearth("releases", "set", "digits", "--share", "100%").exitCode == 0)
            for command in [
                ["models", "push", "digits", SampleModels.secondBundle], ["releases", "create", "digits"],
            ] {
                let again = try server.hearth(command + ["--share", "10%"])
                #expect(again.exitCode == 0 && again.output.contains("already so: release 2: version 2 to 100%"))
            }
            let raised = try server.hearth("releases", "set", "digits", "--share", "50%")
            #expect(raised.errors.contains("Release 2 reaches all devices"), "\(raised.errors)")
        }

        @Test func bytesThatTheServerHasAreNotSentAgain() throws {
            func uploads() -> Int {
                server.log.components(separatedBy: "POST /hearth/v1/projects/hearth-default/uploads").count
            }
            let before = uploads()
            let same = try server.hearth("models", "push", "digits", SampleModels.secondBundle)
            #expect(same.exitCode == 0 && same.output.contains("Nothing new: 'digits' version 2"), "\(same.errors)")
            #expect(uploads() == before && before == 3)
        }

        @Test func pausesAndSchedules() throws {
            let scheduled = try json(
                ReleaseBodies.Release.self, "releases", "set", "digits", "2", "--share", "10%", "--stage",
                "+1h=50%", "--stage", "+2h=100%")
            #expect(scheduled.share == 0.1 && scheduled.stages?.map(\.share) == [0.5, 1])
            let list = try server.hearth("releases", "list", "digits").output
            #expect(list.contains("10%") && list.contains("50% at "))
            #expect(try json(ReleaseBodies.Release.self, "releases", "pause", "digits").state == "paused")
            #expect(try server.hearth("releases", "list", "digits").output.contains("paused"))
            #expect(try json(ReleaseBodies.Release.self, "releases", "resume", "digits").state == "active")
            #expect(try json(ReleaseBodies.Release.self, "releases", "stop", "digits", "--yes").state == "ended")
            #expect(try served == 1)
        }

        @Test func conditions() throws {
            let made = try json(
                ReleaseBodies.Release.self, "releases", "create", "digits", "--country", "ch", "--os", "ios", "--tag",
                "beta", "--app-version-from", "2.1", "--language", "de")
            #expect(made.audience?.countries == ["CH"] && made.audience?.operatingSystems == ["ios"])
            // This device is none of that, but one of these.
            #expect(try served == 1)
            #expect(try server.hearth("releases", "create", "digits", "--os", "linux").exitCode == 0)
            #expect(try served == 2)
            #expect(try server.hearth("pull", "digits", "--os", "android").errors.contains("version 1"))
            #expect(try server.hearth("releases", "stop", "digits", "4", "--yes").exitCode == 0)
            #expect(try served == 1)
            let number = String(made.release)
            let lifted = try json(ReleaseBodies.Release.self, "releases", "set", "digits", number, "--everybody")
            #expect(lifted.audience == nil)
            #expect(try served == 2)
        }

        @Test func theTextFormsSayWhatHappened() throws {
            let created = try server.hearth("releases", "create", "digits", "--version", "1", "--share", "2.5%")
            #expect(created.output == "Created release 3: version 1 to 2.5% of all devices.\n")
            let versions = try server.hearth("models", "versions", "digits").output
            #expect(versions.contains("2.5% (release 3), to all") && versions.contains("ok"))
            let ended = try server.hearth("releases", "stop", "digits")
            #expect(
                ended.exitCode == 1 && ended.errors.contains("`hearth releases stop digits 3` for version 1 to 2.5%"))
            #expect(try server.hearth("releases", "stop", "digits", "3", "--yes").exitCode == 0)
            let none = try server.hearth("releases", "stop", "digits", "9", "--yes")
            #expect(none.exitCode == 1 && none.errorLines.count == 1 && none.errors.contains("no release 9"))
        }

        @Test func aContractThatChangesIsRefusedUnlessThatIsAllowed() throws {
            #expect(try server.hearth("models", "show", "digits").output.contains("refuse on changes"))
            let other = TestPaths.package.appendingPathComponent("Models/digits-detector").path
            for target in [["--publish"], ["--share", "10%"]] {
                let push = try server.hearth(["models", "push", "digits", other] + target)
                #expect(push.exitCode == 1 && push.errorLines.count == 1 && push.errors.contains("does not fit"))
                #expect(try served == 1)
            }
            let allowed = try server.hearth("models", "push", "digits", other, "--publish", "--allow-contract-change")
            #expect(allowed.exitCode == 0 && allowed.errors.contains("warning: "), "\(allowed.errors)")
            #expect(try versions.count == 3 && served == 3)
            // Who does not want to be asked.
            let set = try server.hearth("models", "set", "digits", "--contract-check", "warn")
            #expect(set.exitCode == 0, "\(set.errors)")
            let back = try server.hearth("releases", "create", "digits", "--version", "1", "--share", "10%")
            #expect(back.exitCode == 0 && back.errors.contains("warning: "), "\(back.errors)")
        }

        @Test func namesAndTags() throws {
            #expect(try json(ModelResource.self, "models", "tag", "digits", "a", "b").tags == ["a", "b"])
            #expect(try json(ModelResource.self, "models", "tag", "digits", "c", "--remove", "a").tags == ["b", "c"])
            #expect(
                try json(ModelList.self, "models", "list", "--filter", "tags: c", "--limit", "1").models?.count == 1)
            #expect(try json(ModelList.self, "models", "list", "--filter", "tags: x").models ?? [] == [])
            #expect(try json(ModelResource.self, "models", "rename", "digits", "numbers").displayName == "numbers")
            let gone = try server.hearth("models", "show", "digits")
            #expect(gone.exitCode == 1 && gone.errors.contains("hearth models list"))
        }
    }
}
