#pragma once

// Distributions of Boost.Math, a C++ library, for C. Outside of a distribution's domain each function returns NaN and
// throws nothing. Safe to call from any thread.

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
