#pragma once

// Distributions of Boost.Math, which is C++, for C. Outside a distribution's domain each returns NaN and throws nothing.
// Any thread.

#ifdef __cplusplus
extern "C" {
#endif

double hearth_beta_cdf(double alpha, double beta, double x);
double hearth_beta_quantile(double alpha, double beta, double probability);

double hearth_student_cdf(double degrees, double x);
double hearth_student_quantile(double degrees, double probability);

#ifdef __cplusplus
}
#endif
