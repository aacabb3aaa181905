import HearthExperiments
import Testing

struct SampleRatioTests {
    @Test func whatWasPromisedIsNoMismatch() {
        #expect(SampleRatio.pValue(counts: [5000, 5000], weights: [1, 1]) == 1)
        #expect(SampleRatio.pValue(counts: [5060, 4940], weights: [1, 1]) > 0.05)
        #expect(SampleRatio.pValue(counts: [1000, 2010, 6990], weights: [1, 2, 7]) > 0.05)
    }

    @Test func aLossOfOneInTenIsOne() {
        #expect(SampleRatio.pValue(counts: [10_000, 9000], weights: [1, 1]) < SampleRatio.threshold)
    }

    @Test func aFewOfThemSayNothing() {
        #expect(SampleRatio.pValue(counts: [0, 0], weights: [1, 1]) == 1)
        #expect(SampleRatio.pValue(counts: [3, 0], weights: [1, 1]) > 0.05)
    }
}
