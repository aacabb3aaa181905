import HearthAPI
import HearthHTTP
import HearthLocalCommands
import HearthUpkeep
import HearthValidation

/// The configuration as the server's parts take it.
extension ServerConfiguration {
    /// - Throws: when a TLS file cannot be read or used.
    var http: HTTPServerConfiguration {
        get throws {
            HTTPServerConfiguration(
                address: address, port: port, tls: try tls, limits: connections, trustedProxies: trustedProxies)
        }
    }

    /// As many files wait for a probe as there are probes.
    var queue: QueueLimits {
        var limits = QueueLimits()
        limits.concurrentChecks = probes.concurrentProbes
        return limits
    }

    var upkeep: UpkeepRules.Limits {
        UpkeepRules.Limits(
            unusedUploadDays: requests.unusedUploadDays, uploadSessionDays: requests.uploadSessionDays,
            unreferencedDays: unreferencedDays)
    }

    /// Devices that wait leave connections to those that ask.
    var service: ServiceLimits {
        var limits = requests
        limits.updateStreams.streams = min(limits.updateStreams.streams, max(1, connections.connections / 2))
        limits.waitingFetchesPerProject = limits.waitingReadsPerProject
        return limits
    }

    /// The certificate and key as their files are now; nil without TLS.
    var tls: HTTPServerConfiguration.TLS? {
        get throws {
            guard let tlsCertificateFile, let tlsKeyFile else { return nil }
            let tls = HTTPServerConfiguration.TLS(
                certificatePEM: try TextFile.read(tlsCertificateFile), privateKeyPEM: try TextFile.read(tlsKeyFile),
                minimumVersion: tlsMinimumVersion)
            try tls.check(certificate: "The file \(tlsCertificateFile)", key: "the file \(tlsKeyFile)")
            return tls
        }
    }
}
