/*
 * SLEEF's bit-identical scalar functions: the `cinz` variants give the same bits on every x86-64
 * and AArch64 processor, with and without FMA, which libm does not. The prototypes stand here
 * because <sleef.h> drags in the vector types of the compiling machine.
 */
#pragma once
double Sleef_cinz_acosd1_u10purec(double);
double Sleef_cinz_asind1_u10purec(double);
double Sleef_cinz_atand1_u10purec(double);
double Sleef_cinz_atan2d1_u10purec(double, double);
double Sleef_cinz_cosd1_u10purec(double);
double Sleef_cinz_expd1_u10purec(double);
double Sleef_cinz_log10d1_u10purec(double);
double Sleef_cinz_log2d1_u10purec(double);
double Sleef_cinz_logd1_u10purec(double);
double Sleef_cinz_powd1_u10purec(double, double);
double Sleef_cinz_sind1_u10purec(double);
