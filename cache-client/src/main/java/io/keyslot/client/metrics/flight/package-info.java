// SPDX-License-Identifier: Apache-2.0
/** Events of Java Flight Recorder, where the JVM has it. */
@NullMarked
package io.keyslot.client.metrics.flight;

import org.jspecify.annotations.NullMarked;
