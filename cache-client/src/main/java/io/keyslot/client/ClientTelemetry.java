// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.telemetry.Meters;
import io.keyslot.client.telemetry.Observations;

/**
 * Who watches what a client does.
 *
 * @param meters count it
 * @param observations follow each call, if the application wants that
 */
record ClientTelemetry(Meters meters, Observations observations) {}
