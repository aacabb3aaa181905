#include "CBoostMath.h"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace {
using namespace boost::math::policies;

// An exception could not be caught in C or Swift.
using Quiet = policy<
    domain_error<ignore_error>, pole_error<ignore_error>, overflow_error<ignore_error>, evaluation_error<ignore_error>,
    rounding_error<ignore_error>, indeterminate_result_error<ignore_error>, promote_double<false>>;
using Beta = boost::math::beta_distribution<double, Quiet>;
using Student = boost::math::students_t_distribution<double, Quiet>;
} // namespace

double hearth_beta_cdf(double alpha, double beta, double x) { return boost::math::cdf(Beta(alpha, beta), x); }

double hearth_beta_quantile(double alpha, double beta, double probability) {
    return boost::math::quantile(Beta(alpha, beta), probability);
}

double hearth_student_cdf(double degrees, double x) { return boost::math::cdf(Student(degrees), x); }

double hearth_student_quantile(double degrees, double probability) {
    return boost::math::quantile(Student(degrees), probability);
}
