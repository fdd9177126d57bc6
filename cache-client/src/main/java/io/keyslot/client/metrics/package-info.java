// SPDX-License-Identifier: Apache-2.0
/** What is measured. Only {@code MicrometerMeters} needs Micrometer on the class path. */
@NullMarked
package io.keyslot.client.metrics;

import org.jspecify.annotations.NullMarked;
