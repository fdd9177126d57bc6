// SPDX-License-Identifier: Apache-2.0
/** Comparison of measurements, as a table, JSON and a chart. Pure: independent of JMH, servers, files and clocks. */
@NullMarked
package io.keyslot.benchmarks.report;

import org.jspecify.annotations.NullMarked;
