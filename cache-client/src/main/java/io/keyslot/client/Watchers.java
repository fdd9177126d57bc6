// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import io.keyslot.client.metrics.Meters;
import io.keyslot.client.metrics.observation.Observations;

/**
 * Who watches what a client does.
 *
 * @param meters count it
 * @param observations follow each call, if the application wants that
 */
public record Watchers(Meters meters, Observations observations) {}
