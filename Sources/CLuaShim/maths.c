/*
 * libm's names, defined here as SLEEF's functions.
 *
 * libm's results differ in last bits between processors; SLEEF's `cinz` variants do not. A symbol
 * of the executable wins over the same symbol of a library that is loaded with it, so liblua finds
 * these: in `math`, and in the operator `^`.
 */
double Sleef_cinz_acosd1_u10purec(double);
double Sleef_cinz_asind1_u10purec(double);
double Sleef_cinz_atan2d1_u10purec(double, double);
double Sleef_cinz_atand1_u10purec(double);
double Sleef_cinz_cosd1_u10purec(double);
double Sleef_cinz_expd1_u10purec(double);
double Sleef_cinz_log10d1_u10purec(double);
double Sleef_cinz_log2d1_u10purec(double);
double Sleef_cinz_logd1_u10purec(double);
double Sleef_cinz_powd1_u10purec(double, double);
double Sleef_cinz_sind1_u10purec(double);
double Sleef_cinz_tand1_u10purec(double);

double acos(double x) { return Sleef_cinz_acosd1_u10purec(x); }
double asin(double x) { return Sleef_cinz_asind1_u10purec(x); }
double atan(double x) { return Sleef_cinz_atand1_u10purec(x); }
double atan2(double y, double x) { return Sleef_cinz_atan2d1_u10purec(y, x); }
double cos(double x) { return Sleef_cinz_cosd1_u10purec(x); }
double exp(double x) { return Sleef_cinz_expd1_u10purec(x); }
double log(double x) { return Sleef_cinz_logd1_u10purec(x); }
double log10(double x) { return Sleef_cinz_log10d1_u10purec(x); }
double log2(double x) { return Sleef_cinz_log2d1_u10purec(x); }
double pow(double x, double y) { return Sleef_cinz_powd1_u10purec(x, y); }
double sin(double x) { return Sleef_cinz_sind1_u10purec(x); }
double tan(double x) { return Sleef_cinz_tand1_u10purec(x); }
