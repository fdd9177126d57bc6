// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.telemetry.Meters;
import io.keyslot.client.telemetry.Observations;

/** The meters of one client, and the observations of each call if the application uses them. */
record ClientTelemetry(Meters meters, Observations observations) {}
