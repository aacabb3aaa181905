/// Whether images show that a version lost more expected answers than a limit allows.
///
/// The test is exact and one-sided: of versions whose true loss is the limit or less, it shows a loss in at most the share
/// `level`, however often the answers of the versions differ. It orders the results by Tango's score statistic for paired
/// proportions (T. Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample
/// design", Statistics in Medicine 17, 1998), and takes the chance of a result at least as extreme at the least favourable
/// share of gained answers (H. Hsueh, J. Liu, J. Chen, "Unconditional exact tests for equivalence or noninferiority for
/// paired binary endpoints", Biometrics 57, 2001). A loss is shown if that chance is at most the level.
///
/// This gives no bound of the loss: the chance can fall a little where the limit rises, so that a result may show a loss
/// above some limit, and none above a slightly smaller one.
struct LossTest: Sendable, Hashable {
    let images: Int
    /// The loss that is allowed, as a share of the images: 0 to below 1.
    let limit: Double
    let level: Double

    /// The shares of gained answers that are tried. They lie closer where few answers differ, and where nearly all do,
    /// because there the chance changes fastest.
    private static let tries = 100
    /// Around the largest chances, ten times as many are tried if they come so near to the level.
    private static let near = 0.95
    /// By how much, as a share of the level, the chance must stay below it, because the largest may lie between two tries.
    private static let slack = 0.0005

    /// Says whether a result shows a loss.
    typealias Judge = (_ test: LossTest, _ lost: Int, _ gained: Int) -> Bool

    /// Takes up to two million steps with 500 images if many answers were lost, and hardly any if no more were lost than
    /// is allowed.
    func isShown(lost: Int, gained: Int) -> Bool {
        let value = statistic(lost: lost, gained: gained)
        return value > 0 && isRare(region(from: value))
    }

    /// The fewest lost answers that show a loss when none is gained; nil if not even all of them do.
    var leastLost: Int? {
        guard isShown(lost: images, gained: 0) else { return nil }
        var (no, yes) = (0, images)
        while yes - no > 1 {
            let middle = (no + yes) / 2
            if isShown(lost: middle, gained: 0) { yes = middle } else { no = middle }
        }
        return yes
    }

    /// The results that show a loss.
    var region: PairedRegion {
        var (no, yes) = (0.0, max(0, statistic(lost: images, gained: 0)) + 1)
        // So fine that no two results lie between both.
        for _ in 0..<30 {
            let middle = (no + yes) / 2
            if isRare(region(from: middle)) { yes = middle } else { no = middle }
        }
        return region(from: yes)
    }

    /// Whether such a result is rare enough with every share of gained answers, if the true loss is the limit.
    private func isRare(_ region: PairedRegion) -> Bool {
        func chance(_ tenths: Int) -> Double {
            let place = min(1, max(0, Double(tenths) / Double(10 * Self.tries)))
            let gained = (1 - limit) / 2 * place * place * (3 - 2 * place)
            return region.chance(lost: gained + limit, gained: gained)
        }
        let most = level * (1 - Self.slack)
        var chances: [Double] = []
        for number in 0...Self.tries {
            chances.append(chance(10 * number))
            guard chances[number] <= most else { return false }
        }
        return chances.indices.allSatisfy { number in
            let neighbours = chances[max(0, number - 1)...min(Self.tries, number + 1)]
            guard chances[number] > level * Self.near, neighbours.allSatisfy({ $0 <= chances[number] }) else {
                return true
            }
            return (-9...9).allSatisfy { chance(10 * number + $0) <= most }
        }
    }

    /// The results whose statistic is at least this, which is above 0. The statistic falls with each gained answer.
    private func region(from least: Double) -> PairedRegion {
        // Equal results must not differ by rounding.
        let least = least * (1 - 1e-12)
        return PairedRegion(images: images) { lost in
            guard statistic(lost: lost, gained: 0) >= least else { return -1 }
            var (yes, no) = (0, images - lost + 1)
            while no - yes > 1 {
                let middle = (no + yes) / 2
                if statistic(lost: lost, gained: middle) >= least { yes = middle } else { no = middle }
            }
            return yes
        }
    }

    /// How many standard errors the difference lies above the limit, by Tango's score statistic. The standard error is that
    /// of the likeliest share of gained answers under the limit.
    private func statistic(lost: Int, gained: Int) -> Double {
        let (count, lost, gained) = (Double(images), Double(lost), Double(gained))
        let linear = limit * (2 * count - lost + gained) - lost - gained
        let root = (linear * linear + 8 * count * gained * limit * (1 - limit)).squareRoot()
        let share = (root - linear) / (4 * count)
        let variance = count * (2 * share + limit * (1 - limit))
        return variance > 0 ? (lost - gained - count * limit) / variance.squareRoot() : 0
    }
}
