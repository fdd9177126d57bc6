// SPDX-License-Identifier: Apache-2.0
/** What was measured, compared, as a table, JSON and a chart. Pure: knows neither JMH nor servers, files or clocks. */
@NullMarked
package io.keyslot.benchmarks.report;

import org.jspecify.annotations.NullMarked;
