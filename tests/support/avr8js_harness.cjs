// A second, independent emulator: an image of the AVR firmware on an ATmega328P in avr8js.
//
// Arguments: the image and the cycle to end at. On the standard input JSON, what is sent and when:
// [[cycle, "hexadecimal"], ...]. On the standard output JSON: {"said": "hexadecimal", "edges": [...]},
// each edge of pin B0 as twice its cycle plus the new level.

'use strict';

const { readFileSync } = require('node:fs');
const avr8js = require('avr8js');

const HERTZ = 16_000_000;
const BITS_PER_BYTE = 10;
const WORDS = 0x4000;

function program(hex) {
  const bytes = new Uint8Array(2 * WORDS);
  for (const line of hex.split('\n').filter((text) => text.slice(7, 9) === '00')) {
    const data = Buffer.from(line.slice(9, 9 + 2 * parseInt(line.slice(1, 3), 16)), 'hex');
    bytes.set(data, parseInt(line.slice(3, 7), 16));
  }
  return new Uint16Array(bytes.buffer);
}

function stripEdges(cpu, port) {
  const edges = [];
  let level = 0;
  port.addListener((value) => {
    if ((value & 1) !== level) {
      level = value & 1;
      edges.push(2 * cpu.cycles + level);
    }
  });
  return edges;
}

const [image, end] = process.argv.slice(2);
const cpu = new avr8js.CPU(program(readFileSync(image, 'utf8')));
const clock = new avr8js.AVRClock(cpu, HERTZ);
const timer = new avr8js.AVRTimer(cpu, avr8js.timer1Config);
const eeprom = new avr8js.AVREEPROM(cpu, new avr8js.EEPROMMemoryBackend(1024));
const watchdog = new avr8js.AVRWatchdog(cpu, avr8js.watchdogConfig, clock);
const ports = ['B', 'C', 'D'].map((name) => new avr8js.AVRIOPort(cpu, avr8js[`port${name}Config`]));
const line = new avr8js.AVRUSART(cpu, avr8js.usart0Config, HERTZ);

const edges = stripEdges(cpu, ports[0]);
ports.forEach((port) => [0, 1, 2, 3, 4, 5, 6, 7].forEach((pin) => port.setPin(pin, true)));
const said = [];
line.onByteTransmit = (byte) => said.push(byte);

const byteCycles = () => BITS_PER_BYTE * (HERTZ / line.baudRate);
const queue = JSON.parse(readFileSync(0, 'utf8')).map(([at, hex]) => [at, Buffer.from(hex, 'hex')]);

function sendByte() {
  const [at, bytes] = queue[0];
  line.writeByte(bytes[0], true);
  queue[0] = [at, bytes.subarray(1)];
  if (bytes.length === 1) queue.shift();
  if (queue.length) {
    cpu.addClockEvent(sendByte, Math.max(byteCycles(), queue[0][0] - cpu.cycles));
  }
}

if (queue.length) cpu.addClockEvent(sendByte, queue[0][0]);
while (cpu.cycles < Number(end)) {
  avr8js.avrInstruction(cpu);
  cpu.tick();
}
void [timer, eeprom, watchdog];
process.stdout.write(JSON.stringify({ said: Buffer.from(said).toString('hex'), edges }));
